/** The most bytes that the body of an answer may take: Lambda answers no more than 6 MB, headers included. */
export const mostAnswerBytes = 6_200_000;

/** In an answer a byte of JSON takes one more at most: that which escapes a quote or a backslash. */
const bytesPerByte = 2;

/** Bytes of a body in a function's answer, which is JSON itself: the body is one text of it, with its quotes escaped. */
export function bytesInAnswer(body: string): number {
  return Buffer.byteLength(JSON.stringify(body));
}

/** Whether a body made of these JSON texts is not too large to be answered. */
export function fitsAnswer(texts: readonly string[]): boolean {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > mostAnswerBytes) return false;
  return (
    bytes * bytesPerByte <= mostAnswerBytes ||
    texts.reduce((sum, text) => sum + bytesInAnswer(text), 0) <= mostAnswerBytes
  );
}

/** As many of the first entries of a list as take so many bytes of an answer. */
export function firstThatFit<Entry>(entries: readonly Entry[], bytes: number): readonly Entry[] {
  let left = bytes;
  const tooMany = entries.findIndex((entry) => {
    left -= bytesInAnswer(JSON.stringify(entry));
    return left < 0;
  });
  return tooMany === -1 ? entries : entries.slice(0, tooMany);
}
