import { createReadStream, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createGunzip } from "node:zlib";

const wholeFile = fileURLToPath(new URL("../../../shared/data/opengolfapi-us.ndjson.gz", import.meta.url));

/** Whether the real courses are on this machine; they are no part of the project. */
export const haveRealCourses = existsSync(wholeFile);

/** The first real courses of the file, in a file of their own. */
export async function realCourses(count: number): Promise<{ file: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "scorecard-courses-"));
  const file = join(folder, "courses.ndjson");
  const lines: string[] = [];
  for await (const line of createInterface({ input: createReadStream(wholeFile).pipe(createGunzip()) })) {
    lines.push(line);
    if (lines.length === count) break;
  }
  writeFileSync(file, lines.join("\n"));
  return { file, remove: () => rmSync(folder, { recursive: true }) };
}
