import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { type Pipeline, sharedPipeline } from "./pipeline.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const example = join(root, "docs/examples/generated-clients/typescript/follow-cards.ts");

let pipeline: Pipeline;
let folder: string;

/** Settings of a project that checks everything: generated types must not need a looser one. */
const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  module: "nodenext",
  target: "es2024",
  skipLibCheck: true,
  types: ["node"],
  allowImportingTsExtensions: true,
  noEmit: true,
};

beforeAll(async () => {
  pipeline = await sharedPipeline();
  folder = await mkdtemp(join(tmpdir(), "generated-client-"));
  await mkdir(join(folder, "client"));
  await symlink(join(root, "node_modules"), join(folder, "client/node_modules"));
});
afterAll(async () => {
  await pipeline.stop();
  await rm(folder, { recursive: true });
});

test("a TypeScript client generated from openapi.json submits, corrects, withdraws and follows cards", async () => {
  const { machine, standIn } = pipeline;
  const { account } = pipeline.vendor(0);
  const client = join(folder, "client");
  const generate = join(root, "test/end-to-end/generate-client.ts");
  const { stdout: types } = await run(process.execPath, [generate, `${machine.run.api}/openapi.json`], {
    maxBuffer: 2 ** 24,
  });
  const cards = ["generated 1", "generated 2", "generated 3"].map((ExternalID) =>
    minimalCard(standIn, { ExternalID }),
  );
  await Promise.all([
    writeFile(join(client, "scorecards.ts"), types),
    copyFile(example, join(client, "follow-cards.ts")),
    writeFile(join(client, "cards.json"), JSON.stringify(cards)),
    writeFile(join(client, "package.json"), '{ "type": "module" }'),
    writeFile(join(client, "tsconfig.json"), JSON.stringify({ compilerOptions })),
  ]);
  await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--project", client]).catch(
    ({ stdout }: { stdout: string }) => expect.fail(stdout),
  );

  // Its course is mirrored then, which takes a request to the union.
  await pipeline.vendor(0).submit([minimalCard(standIn, { ExternalID: "before" })]);
  // Nothing reaches the exchange for a while, so that a card can be withdrawn.
  await standIn.refuseConnections();
  const following = run(process.execPath, ["follow-cards.ts", "cards.json"], {
    cwd: client,
    env: {
      ...process.env,
      API_URL: machine.run.api,
      API_USER: account.username,
      API_PASSWORD: account.password,
    },
  });
  const { states } = pipeline.vendor(0);
  await expect.poll(() => states(["generated 3"])).toEqual(["withdrawn"]);
  await standIn.acceptConnections();
  const { stdout } = await following;
  const lines = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim());
  expect(lines.slice(0, 3)).toEqual([
    expect.stringMatching(/^accepted 3 with \d+ warnings$/),
    expect.stringMatching(/^accepted 1 with \d+ warnings$/),
    "withdrawn",
  ]);
  expect(lines.slice(3).sort()).toEqual([
    expect.stringMatching(/^generated 1 delivered/),
    expect.stringMatching(/^generated 2 delivered/),
    expect.stringMatching(/^generated 3 withdrawn/),
  ]);
  const received = standIn.received.filter(({ card }) => JSON.stringify(card).includes("generated"));
  expect(received.map(({ card }) => (card as { Comment?: string }).Comment)).toContain("corrected");
  // A correction waits some twenty seconds for the posts of the card that it corrects.
}, 120_000);
