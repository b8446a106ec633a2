/** The most bytes that the body of an answer may take: Lambda answers no more than 6 MB, headers included. */
export const mostAnswerBytes = 6_200_000;

/** What one byte of JSON takes in an answer at most: a quote or a backslash is escaped there. */
const bytesPerByte = 2;

/** Bytes that a body takes in a function's answer: that is JSON, and the body a text in it with its quotes escaped. */
export function bytesInAnswer(body: string): number {
  return Buffer.byteLength(JSON.stringify(body));
}

/** Whether a body made of these JSON texts fits into an answer. */
export function fitsAnswer(texts: readonly string[]): boolean {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > mostAnswerBytes) return false;
  return (
    bytes * bytesPerByte <= mostAnswerBytes ||
    texts.reduce((sum, text) => sum + bytesInAnswer(text), 0) <= mostAnswerBytes
  );
}

/** The first entries of a list, as many as fit into so many bytes of an answer. */
export function firstThatFit<Entry>(entries: readonly Entry[], bytes: number): readonly Entry[] {
  let left = bytes;
  const tooMany = entries.findIndex((entry) => {
    left -= bytesInAnswer(JSON.stringify(entry));
    return left < 0;
  });
  return tooMany === -1 ? entries : entries.slice(0, tooMany);
}
