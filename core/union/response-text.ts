import { isUtf8 } from "node:buffer";

/** Reads the charset of a `Content-Type`; undefined if it names none, or one that nobody knows. */
function charsetDecoder(contentType: string | undefined): TextDecoder | undefined {
  const [, charset] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? "") ?? [];
  try {
    return charset === undefined ? undefined : new TextDecoder(charset);
  } catch {
    return undefined;
  }
}

/**
 * Decodes a response by its charset.
 *
 * JSON is UTF-8, so without a charset, or with that one, it is read so. Bytes that cannot be UTF-8 are Latin-1, as an old server
 * sends them: decoded otherwise, a name would lose its letters, and its card would not be found in the echo.
 *
 * @see Encoding standard: Latin-1 is read as windows-1252
 */
export function decodeResponse(bytes: Uint8Array, contentType?: string): string {
  const decoder = charsetDecoder(contentType) ?? new TextDecoder();
  const isLatin1 = decoder.encoding === "utf-8" && !isUtf8(bytes);
  return (isLatin1 ? new TextDecoder("windows-1252") : decoder).decode(bytes);
}
