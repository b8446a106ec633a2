import { open } from "node:fs/promises";

const blank = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/** The start of a file, one character a byte, without white space and a UTF-8 byte order mark before it. */
export async function readStart(path: string): Promise<{ start: string; size: number }> {
  await using file = await open(path);
  const about = await file.stat();
  if (about.isDirectory()) throw new Error(`${path} is a folder. Name a file in it.`);
  const { size } = about;
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(64 * 1024), position: 0 });
  const bytes = buffer.subarray(0, bytesRead);
  const first = bytes.findIndex((byte) => !blank.has(byte));
  return { start: first === -1 ? "" : bytes.toString("latin1", first), size };
}

/** First bytes of the byte order marks of UTF-16. */
const utf16 = ["\xff", "\xfe"];

/** @throws NotUtf8Error if the start of a file is a byte order mark of UTF-16 */
export function refuseUtf16(start: string, path: string): void {
  if (utf16.includes(start.slice(0, 1))) throw new NotUtf8Error(path);
}

/** The file has another encoding, which would garble names. */
export class NotUtf8Error extends Error {
  override readonly name = "NotUtf8Error";

  constructor(path: string, cause?: unknown) {
    super(`${path} is not in UTF-8. Save it in UTF-8.`, { cause });
  }
}

/**
 * Decodes a file in chunks, without its byte order mark.
 *
 * @throws NotUtf8Error
 */
export async function* textOf(bytes: AsyncIterable<Buffer>, path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decoded = (piece?: Buffer) => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch (cause) {
      throw new NotUtf8Error(path, cause);
    }
  };
  for await (const piece of bytes) yield decoded(piece);
  yield decoded();
}
