/** The file has another encoding, which would garble names. */
export class NotUtf8Error extends Error {
  override readonly name = "NotUtf8Error";

  /** @param name of the file */
  constructor(name: string, cause?: unknown) {
    super(`${name} is not in UTF-8. Save it in UTF-8.`, { cause });
  }
}

/** First bytes of the byte order marks of UTF-16. */
const utf16 = ["\xff", "\xfe"];

/**
 * @param start of the file, one character a byte
 * @throws NotUtf8Error if it is a byte order mark of UTF-16
 */
export function refuseUtf16(start: string, name: string): void {
  if (utf16.includes(start.slice(0, 1))) throw new NotUtf8Error(name);
}

/**
 * Decodes a file in chunks, without its byte order mark.
 *
 * @throws NotUtf8Error
 */
export async function* textOf(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  name: string,
): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const decoded = (piece?: Uint8Array) => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch (cause) {
      throw new NotUtf8Error(name, cause);
    }
  };
  for await (const piece of bytes) yield decoded(piece);
  yield decoded();
}

const blank = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/** The start of a file, one character a byte, without white space and a UTF-8 byte order mark before it. */
export function startOf(bytes: Uint8Array): string {
  const first = bytes.findIndex((byte) => !blank.has(byte));
  if (first === -1) return "";
  return Array.from(bytes.subarray(first), (byte) => String.fromCharCode(byte)).join("");
}

/** As many bytes as are looked at to know what a file is. */
export const startBytes = 64 * 1_024;
