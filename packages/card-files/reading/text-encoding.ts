/** Encodings that a table may be in. */
export const textEncodings = ["utf-8", "utf-16le", "utf-16be", "windows-1252", "macintosh"] as const;

/** An encoding of a table. */
export type TextEncoding = (typeof textEncodings)[number];

/** Letters of names, and signs that stand in them only if they were decoded wrongly. */
const letters = /[æøåäöüéèàçßÆØÅÄÖÜÉ]/g;
const signs = /[¿¾Œ®¯ŠšŽŸ\u0080-\u009f]|(?<=\p{L})[Ë€ÊÂ](?=\p{Ll})/gu;

function findEncoding(bytes: Uint8Array): TextEncoding {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return "utf-8";
  } catch {
    // Excel's plain CSV in western Europe, of Windows or of a Mac; its bytes are hardly ever UTF-8 by chance.
    const score = (encoding: TextEncoding) => {
      const text = new TextDecoder(encoding).decode(bytes);
      return (text.match(letters)?.length ?? 0) - (text.match(signs)?.length ?? 0);
    };
    return score("macintosh") > score("windows-1252") ? "macintosh" : "windows-1252";
  }
}

/** Decodes a file by what is there. @param given the encoding, if a person has said it */
export function decodeText(
  bytes: Uint8Array,
  given?: TextEncoding,
): { readonly text: string; readonly encoding: TextEncoding } {
  const encoding = given ?? findEncoding(bytes);
  return { text: new TextDecoder(encoding).decode(bytes), encoding };
}
