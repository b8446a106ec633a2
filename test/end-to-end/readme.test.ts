import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Pipeline, sharedPipeline } from "./pipeline.ts";

const run = promisify(execFile);
const pages = await Promise.all(
  ["README.md", "docs/vendors.md", "docs/moving-over.md"].map((file) =>
    readFile(new URL(`../../${file}`, import.meta.url), "utf8"),
  ),
);
const read = pages.join("\n");

/** The examples of README, docs/vendors.md and docs/moving-over.md in order: a command, and the status that a request names. */
const examples = [...read.matchAll(/```sh\n(?:# (\d{3})\n)?((?:curl|cat|sed) [\s\S]+?)```/g)].map(
  ([, status, command]) => ({
    status: status ?? "",
    command: String(command),
    start: String(command).split("\n", 1)[0],
  }),
);

const curlThere = await run("curl", ["--version"]).then(
  () => true,
  () => false,
);

let pipeline: Pipeline;
let home: string;

beforeAll(async () => {
  pipeline = await sharedPipeline();
  home = await mkdtemp(join(tmpdir(), "curl-"));
  await writeFile(join(home, ".curlrc"), 'silent\noutput = "/dev/null"\nwrite-out = "%{http_code}"\n');
});
afterAll(async () => {
  await pipeline.stop();
  await rm(home, { recursive: true });
});

test("README, docs/vendors.md and docs/moving-over.md have examples of curl", () => {
  expect(examples.length).toBeGreaterThanOrEqual(14);
});

describe.skipIf(!curlThere)("an example for vendors, pasted (skipped if there is no curl)", () => {
  // In order: an example asks for the card that an earlier one submits.
  test.each(examples)("is answered $status: $start", async ({ status, command }) => {
    const here = command.replaceAll("http://127.0.0.1:3000/test", pipeline.machine.run.api);
    if (status !== "") expect(here).not.toBe(command);
    const { stdout } = await run("bash", ["-c", here], {
      cwd: home,
      env: { ...process.env, CURL_HOME: home },
    });
    expect(stdout).toBe(status);
  });
});

test.skipIf(!curlThere)(
  "the card that docs/vendors.md writes and corrects is accepted without a warning",
  async () => {
    const cards = JSON.parse(await readFile(join(home, "card.json"), "utf8"));
    const { status, headers } = await pipeline.vendor(0).submit(cards);
    expect({ status, warnings: headers.get("scorecard-warnings") }).toEqual({ status: 201, warnings: "0" });
    await expect.poll(() => pipeline.vendor(0).states(["my first card"])).toEqual(["delivered"]);
  },
);
