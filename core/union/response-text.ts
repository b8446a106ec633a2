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

const quote = 0x22;

/** Decodes each text of a JSON document by itself: as Latin-1 if it cannot be UTF-8. Neither has a quote within a letter. */
function decodeTexts(bytes: Uint8Array): string {
  const utf8 = new TextDecoder();
  const latin1 = new TextDecoder("windows-1252");
  const texts: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    const place = bytes.indexOf(quote, from);
    const to = place === -1 ? bytes.length : place + 1;
    const part = bytes.subarray(from, to);
    texts.push((isUtf8(part) ? utf8 : latin1).decode(part));
    from = to;
  }
  return texts.join("");
}

/**
 * Decodes a response by its charset.
 *
 * JSON is UTF-8, so without a charset, or with that one, it is read so. A text whose bytes cannot be UTF-8 is Latin-1, as an old server
 * sends it: decoded otherwise, a name would lose its letters, and its card would not be found in the echo. Its neighbours are not:
 * one club's name must not garble those of all others.
 *
 * @see Encoding standard: Latin-1 is read as windows-1252
 */
export function decodeResponse(bytes: Uint8Array, contentType?: string): string {
  const decoder = charsetDecoder(contentType) ?? new TextDecoder();
  return decoder.encoding === "utf-8" && !isUtf8(bytes) ? decodeTexts(bytes) : decoder.decode(bytes);
}
