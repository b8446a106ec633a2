import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Pipeline, startPipeline } from "./pipeline.ts";

const run = promisify(execFile);
const pages = await Promise.all(
  ["README.md", "docs/getting-started.md"].map((file) =>
    readFile(new URL(`../../${file}`, import.meta.url), "utf8"),
  ),
);
const read = pages.join("\n");

/** The examples of README and docs/getting-started.md: the status that each names, and the command. */
const examples = [...read.matchAll(/```sh\n# (\d{3})\n(curl [\s\S]+?)```/g)].map(([, status, command]) => ({
  status: String(status),
  command: String(command),
}));

const curlThere = await run("curl", ["--version"]).then(
  () => true,
  () => false,
);

let pipeline: Pipeline;
let home: string;

beforeAll(async () => {
  pipeline = await startPipeline();
  home = await mkdtemp(join(tmpdir(), "curl-"));
  await writeFile(join(home, ".curlrc"), 'silent\noutput = "/dev/null"\nwrite-out = "%{http_code}"\n');
});
afterAll(async () => {
  await pipeline.stop();
  await rm(home, { recursive: true });
});

test("README and docs/getting-started.md have examples of curl", () => {
  expect(examples.length).toBeGreaterThanOrEqual(5);
});

describe.skipIf(!curlThere)("an example for vendors, pasted (skipped if there is no curl)", () => {
  // In order: an example asks for the card that an earlier one submits.
  test.each(examples)("is answered $status", async ({ status, command }) => {
    const here = command.replaceAll("http://127.0.0.1:3000/test", pipeline.machine.run.api);
    expect(here).not.toBe(command);
    const { stdout } = await run("bash", ["-c", here], { env: { ...process.env, CURL_HOME: home } });
    expect(stdout).toBe(status);
  });
});

test("the file of cards that docs/getting-started.md writes is accepted without a warning", async () => {
  const [, command = ""] = /```sh\n(for n in [\s\S]+?done > cards\.ndjson)\n/.exec(read) ?? [];
  await run("sh", ["-c", command], { cwd: home });
  const lines = (await readFile(join(home, "cards.ndjson"), "utf8")).trim().split("\n");
  const { status, body, headers } = await pipeline.vendor(0).submit(lines.map((line) => JSON.parse(line)));
  expect(headers.get("scorecard-warnings")).toBe("0");
  expect({ status, names: body.map(({ ExternalID }: { ExternalID: string }) => ExternalID) }).toEqual({
    status: 201,
    names: ["round 1", "round 2", "round 3"],
  });
});
