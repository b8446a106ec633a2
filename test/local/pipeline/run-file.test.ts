import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LocalRun } from "@scorecard-pipeline/local-aws";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readRunFile, writeRunFile } from "../../../local/pipeline/run-file.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scorecards-run-"));
});
afterAll(() => rm(folder, { recursive: true }));

const run = {
  api: "http://127.0.0.1:1/test",
  dynamodb: "http://127.0.0.1:2",
  sqs: "http://127.0.0.1:3",
  secretsManager: "http://127.0.0.1:4",
  lambda: "http://127.0.0.1:5",
  apiGateway: "http://127.0.0.1:6",
  cloudWatch: "http://127.0.0.1:6",
  region: "us-east-1",
  outputs: { ScorecardTableName: "scorecards" },
} as unknown as LocalRun;

test("a local run is found while it lasts", async () => {
  const path = join(folder, "lasts", "run.json");
  const forget = await writeRunFile(path, "a run", run, []);
  expect(await readRunFile(path)).toMatchObject({ id: "a run", api: run.api, outputs: run.outputs });
  await forget();
  expect(await readRunFile(path)).toBeUndefined();
});

test("a run that ends leaves the file of one that was started after it", async () => {
  const path = join(folder, "two.json");
  const forget = await writeRunFile(path, "first", run, []);
  await writeRunFile(path, "second", run, []);
  await forget();
  expect(await readRunFile(path)).toMatchObject({ id: "second" });
});

test("a run that was killed is not taken for one that is up", async () => {
  const path = join(folder, "killed.json");
  await writeRunFile(path, "killed", run, []);
  const known = JSON.parse(await readFile(path, "utf8"));
  // Beyond the highest process id of any system.
  await writeFile(path, JSON.stringify({ ...known, process: 2 ** 30 }));
  expect(await readRunFile(path)).toBeUndefined();
});
