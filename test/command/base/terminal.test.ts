import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { type LoopbackServer, startLoopbackServer } from "@scorecard-pipeline/local-aws/loopback-server";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describePlace } from "../../../command/base/find-target.ts";
import { tableLines } from "../../../command/base/table-lines.ts";
import { printable, printableJson, terminalOn } from "../../../command/base/terminal.ts";

/** Clears the screen, sets the window's title, forges a line, turns text around, and sets a colour by C1. */
const evil = "a\u001b[2J\u001b]0;title\u0007\r\nError: forged\u202etxt.exe\u2066\u009b31m\u007f\u0000\u061cz";
/** What a terminal would obey; a line feed ends lines of our own. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
const shown = "a[2J]0;title Error: forgedtxt.exe31mz";

test("a text from outside is shown as one line without control characters", () => {
  expect(printable(evil)).toBe(shown);
  expect(printable("one\ttwo\u2028three\u0085four")).toBe("one two three four");
  expect(printable("Sø-banen, 76 × Ärla 🏌️ 日本")).toBe("Sø-banen, 76 × Ärla 🏌️ 日本");
});

test("every control character is removed, and no other character", () => {
  for (let code = 0; code < 0x3000; code++) {
    const character = String.fromCharCode(code);
    const isOfLines = /[\t-\r\u0085\u2028\u2029]/.test(character);
    const expected = isOfLines ? " " : obeyed.test(character) ? "" : character;
    expect(printable(character)).toBe(expected);
  }
});

test("JSON has its control characters escaped and the same meaning", () => {
  const document = { [evil]: [evil, 1, null] };
  expect(printableJson(document)).not.toMatch(obeyed);
  expect(JSON.parse(printableJson(document))).toEqual(document);
});

test("results, notes and JSON have exactly as many lines as were given, even if they contain line breaks", async () => {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const terminal = terminalOn(stdout, stderr, new AbortController().signal);
  terminal.result(evil);
  terminal.result([evil, "two"]);
  terminal.json({ evil });
  terminal.note(evil);
  stdout.end();
  stderr.end();
  const lines = (await text(stdout)).split("\n");
  expect(lines).toEqual([shown, shown, "two", expect.stringMatching(/^\{"evil":"a\\u001b/), ""]);
  expect(await text(stderr)).toBe(`${shown}\n`);
});

test("the width of a table's column does not count removed control characters", () => {
  const lines = tableLines(["Name", "State"], [[evil, 7]]);
  expect(lines.join("")).not.toMatch(obeyed);
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
  expect(lines.filter((line) => line.includes(shown))).toHaveLength(1);
});

/** The same as a parameter of a process can have it. */
const externalId = evil.replace("\u0000", "");
const problem = { title: evil, status: 403, detail: evil };
const entry = {
  index: 0,
  externalId: evil,
  status: 422,
  errors: [{ code: evil, pointer: evil, detail: evil }],
};
const status = { externalId, state: "delivered", since: evil, lastError: { message: evil, status: 500 } };

let api: LoopbackServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scorecards-terminal-"));
  await writeFile(join(folder, "cards.ndjson"), `${JSON.stringify({ ExternalID: evil })}\n`);
  api = await startLoopbackServer((request, response) => {
    const [code, body] = request.url?.startsWith("/refusing/")
      ? [403, problem]
      : request.method === "POST"
        ? [207, [entry]]
        : [200, { cards: [status] }];
    response.writeHead(code, { "Content-Type": "application/json" });
    response.end(JSON.stringify(body));
  });
});
afterAll(async () => {
  await api.stop();
  await rm(folder, { recursive: true });
});

/** What the command shows of an API that answers with evil texts. */
async function outputOf(stage: string, ...parameters: string[]): Promise<{ stdout: string; stderr: string }> {
  const bin = fileURLToPath(new URL("../../../bin/scorecards.js", import.meta.url));
  const { PATH } = process.env;
  const [name = "", ...rest] = parameters;
  const child = spawn(process.execPath, [bin, name, "--api", `${api.address}/${stage}`, ...rest], {
    cwd: folder,
    env: { PATH, SCORECARDS_USERNAME: "vendor", SCORECARDS_PASSWORD: "password" },
  });
  child.stdin.end();
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { stdout, stderr };
}

test.each([
  ["submit", "cards.ndjson"],
  ["status", externalId],
  ["watch", externalId],
])("%s shows an evil ExternalID and an evil fault as harmless text", async (...parameters) => {
  const { stdout, stderr } = await outputOf("answering", ...parameters);
  expect(stdout + stderr).not.toMatch(obeyed);
  expect(stdout).toContain("forged");
  expect(stdout).not.toMatch(/^Error: forged/m);
});

test.each([
  ["submit", "cards.ndjson", { externalId: evil, errors: entry.errors }],
  ["status", externalId, [status]],
  ["watch", externalId, status],
])("%s --json escapes an evil text and keeps it whole", async (name, parameter, expected) => {
  const { stdout } = await outputOf("answering", name, parameter, "--json");
  expect(stdout).not.toMatch(obeyed);
  expect(JSON.parse(stdout.split("\n")[0] ?? "")).toMatchObject(expected);
});

test.each([
  ["submit", "cards.ndjson"],
  ["status", externalId],
])("%s shows an evil problem detail as one harmless line", async (...parameters) => {
  const { stdout, stderr } = await outputOf("refusing", ...parameters);
  expect(stdout + stderr).not.toMatch(obeyed);
  expect(stderr).toContain("HTTP 403: a[2J]0;title Error: forged");
  expect(stderr).not.toMatch(/^Error: forged/m);
});

test("a command that changes something says on which stage, account and region", () => {
  const stack = "arn:aws:cloudformation:eu-north-1:123456789012:stack/scorecard-pipeline-production/1a2b";
  expect(describePlace("production", stack)).toBe("stage production, AWS account 123456789012, eu-north-1");
});
