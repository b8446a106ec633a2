import { open } from "node:fs/promises";
import { startBytes, startOf } from "@scorecard-pipeline/card-files/utf8-text";

/** The start of a file, one character a byte, without white space and a UTF-8 byte order mark before it. */
export async function readStart(path: string): Promise<{ start: string; size: number }> {
  await using file = await open(path);
  const about = await file.stat();
  if (about.isDirectory()) throw new Error(`${path} is a folder. Name a file in it.`);
  const { size } = about;
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(startBytes), position: 0 });
  return { start: startOf(buffer.subarray(0, bytesRead)), size };
}
