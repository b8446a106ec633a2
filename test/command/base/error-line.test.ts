import { lookup } from "node:dns/promises";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { errorLine } from "../../../command/base/error-line.ts";
import { readRunFile } from "../../../local/pipeline/run-file.ts";
import { UnwritableFolderError, writableFolder } from "../../../local/pipeline/writable-folder.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scorecards-errors-"));
});
afterAll(() => rm(folder, { recursive: true }));

const failureOf = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error);

test("a missing file, a folder in place of a file, and a file in place of a folder are named with what to do", async () => {
  const missing = join(folder, "missing.json");
  expect(errorLine(await failureOf(readFile(missing)))).toBe(`There is no file ${missing}. Check its path.`);
  const within = await failureOf(readFile(folder));
  expect(errorLine(Object.assign(within as Error, { path: folder }))).toBe(
    `${folder} is a folder. Name a file in it.`,
  );
});

test("a host that nobody knows is named, also if another error was caused by it", async () => {
  const cause = await failureOf(lookup("nobody.invalid"));
  const { code } = cause as NodeJS.ErrnoException;
  expect(["ENOTFOUND", "EAI_AGAIN"]).toContain(code);
  const line = errorLine(new Error("No response.", { cause: new TypeError("fetch failed", { cause }) }));
  expect(line).toMatch(/^(There is no host|The host) nobody\.invalid/);
});

test("what a schema refuses is one line with the fields, without JSON", () => {
  const { error } = z.object({ outputs: z.object({ api: z.string() }) }).safeParse({ outputs: {} });
  const line = errorLine(error);
  expect(line).toContain("outputs.api: ");
  expect(line).not.toMatch(/[\n{[]/);
});

test("an error that has a message for people keeps it, even if it was caused by itself", () => {
  const error = new Error("Give a card.");
  error.cause = error;
  expect(errorLine(error)).toBe("Give a card.");
  expect(errorLine("a text")).toBe("a text");
});

test.each(["{", "{}"])("a damaged file of the local run, %s, says to start it again", async (text) => {
  const path = join(folder, "local-run.json");
  await writeFile(path, text);
  await expect(readRunFile(path)).rejects.toThrow(/start it again with `npm start`/);
});

test("a checkout that cannot be written to is said so before anything is built", async () => {
  const file = join(folder, "a-file");
  await writeFile(file, "");
  const error = await failureOf(writableFolder(join(file, "cdk.out")));
  expect(error).toBeInstanceOf(UnwritableFolderError);
  expect(String(error)).toContain(`Make ${file} writable`);
  await writableFolder(join(folder, "new", "cdk.out"));
});
