import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CourseFileError, readOpenGolfApi } from "../../../../packages/stand-in/register/open-golf-api.ts";
import { now } from "../start-union.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "scorecards-courses-"));
});
afterAll(() => rm(folder, { recursive: true }));

const course = (id: string) => JSON.stringify({ type: "Feature", properties: { id, name: `Course ${id}` } });

async function fileWith(content: string | Uint8Array): Promise<string> {
  const path = join(folder, "courses");
  await writeFile(path, content);
  return path;
}

describe("a file of courses", () => {
  test.each([
    ["as text", `${course("1")}\n\n${course("2")}\n`],
    ["gzipped", gzipSync(`${course("1")}\n${course("2")}`)],
  ])("is read %s", async (_form, content) => {
    const { clubs } = await readOpenGolfApi(await fileWith(content), now, "Europe/Copenhagen");
    expect(clubs.map(({ Name }) => Name)).toEqual(["Course 1", "Course 2"]);
  });

  test.each([
    ["that is something else", '{\n  "name": "package"\n}', "line 1 is not a course"],
    ["with a line that is none", `${course("1")}\n{}\n`, "line 2 is not a course"],
    ["of noise that is gzipped", gzipSync(Uint8Array.of(1, 254, 3)), "line 1 is not a course"],
    ["that only begins as gzip does", Uint8Array.of(0x1f, 0x8b, 1, 2, 3), "unknown compression method"],
    ["that is empty", "", "no course is in it"],
    ["of empty lines", "\n\n", "no course is in it"],
  ])("%s is refused by its name, with what is expected", async (_what, content, reason) => {
    const path = await fileWith(content);
    await expect(readOpenGolfApi(path, now, "Europe/Copenhagen")).rejects.toThrow(
      new CourseFileError(path, reason),
    );
  });

  test("that is a folder, or not there, is refused by its name", async () => {
    await expect(readOpenGolfApi(folder, now, "Europe/Copenhagen")).rejects.toThrow(
      `${folder} is not a file of courses: it is a folder.`,
    );
    const missing = join(folder, "missing");
    await expect(readOpenGolfApi(missing, now, "Europe/Copenhagen")).rejects.toThrow(
      `${missing} is not a file of courses: there is no`,
    );
  });
});

test("npm run stand-in -- --courses with another file says so in one line and ends with 2", async () => {
  const path = await fileWith("[project]");
  const options = ["packages/stand-in/start.ts", "--port", "0", "--control-port", "0", "--courses", path];
  const started = spawn(process.execPath, options, {
    cwd: fileURLToPath(new URL("../../../..", import.meta.url)),
    stdio: ["ignore", "ignore", "pipe"],
  });
  const said = text(started.stderr);
  expect(await once(started, "exit")).toEqual([2, null]);
  expect(await said).toBe(`error: ${new CourseFileError(path, "line 1 is not a course").message}\n`);
}, 60_000);
