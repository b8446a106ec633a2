import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { parseArgs } from "node:util";

// `npm run proofs`: plays what finds more on new seeds and in more time. docs/testing.md says what that is.

const root = join(import.meta.dirname, "..");
const { values, positionals: files } = parseArgs({
  options: {
    days: { type: "string" },
    minutes: { type: "string" },
    seed: { type: "string" },
    kind: { type: "string" },
  },
  allowPositionals: true,
});

/** A number of the commit: whoever plays the proofs of a commit plays the same ones. */
function seedOfCommit(): number {
  const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8" });
  return Number.parseInt(commit.slice(0, 7), 16);
}

const seed = Number(values.seed ?? seedOfCommit());
const minutes = Number(values.minutes ?? 0);
const days = Number(values.days ?? (minutes > 0 ? 0 : 100));
const numbers = { "--seed": seed, "--minutes": minutes, "--days": days };
for (const [option, number] of Object.entries(numbers)) {
  if (Number.isFinite(number) && number >= 0) continue;
  process.stderr.write(`error: ${option} must be a number that is not negative.\n`);
  process.exit(2);
}

const env = {
  ...process.env,
  PROOF_SEED: String(seed),
  PROOF_MINUTES: String(minutes),
  PROOF_DAYS: String(days),
  // A time in `npm test` of what is random takes about a minute.
  PROOF_SIZE: String(Math.max(1, Math.round(minutes || days / 100))),
  ...(values.kind !== undefined && { PROOF_KIND: values.kind }),
  PROOF_DAYS_ONLY: String(values.kind !== undefined || files.join() === "test/proofs"),
};

const command = ["npm run proofs --", `--seed ${seed}`]
  .concat(minutes > 0 ? `--minutes ${minutes}` : [], days > 0 ? `--days ${days}` : [])
  .concat(values.kind === undefined ? [] : `--kind ${values.kind}`)
  .join(" ");
process.stdout.write(`The same again: ${[command, ...files].join(" ")}\n`);

const folder = mkdtempSync(join(tmpdir(), "proofs-"));
const report = join(folder, "report.json");
const { status } = spawnSync(
  process.execPath,
  [
    join(root, "node_modules/vitest/vitest.mjs"),
    ...["run", "--config", "test/proofs/vitest.config.ts"],
    ...["--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
    ...(values.kind === undefined ? [] : ["--project", "days*"]),
    ...files,
  ],
  { cwd: root, env, stdio: "inherit" },
);
if (status !== 0) {
  const { testResults }: { testResults: { name: string; status: string }[] } = JSON.parse(
    readFileSync(report, "utf8"),
  );
  for (const { name } of testResults.filter((file) => file.status === "failed"))
    process.stderr.write(`Replay it: ${command} ${relative(root, name)}\n`);
}
rmSync(folder, { recursive: true });
const leftOut = globSync("test/**/*.proof.ts", { cwd: root }).filter(
  (proof) => files.length > 0 && !files.some((file) => proof.includes(file)),
);
if (leftOut.length > 0)
  process.stdout.write(
    `Not played here: ${leftOut.map((proof) => basename(proof, ".proof.ts")).join(", ")}. npm run proofs without names plays them.\n`,
  );
process.exitCode = status ?? 1;
