/** The most bytes that the body of an answer may take: Lambda answers no more than 6 MB, headers included. */
export const mostAnswerBytes = 6_200_000;

/** More than the bytes that one character of JSON takes in an answer. */
const bytesPerCharacter = 3;

/** Bytes of a body in a function's answer, which is JSON itself: the body is one text of it, with its quotes escaped. */
export function bytesInAnswer(body: string): number {
  return Buffer.byteLength(JSON.stringify(body));
}

/** Whether a body made of these texts is not too large to be answered. */
export function fitsAnswer(texts: readonly string[]): boolean {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  if (characters > mostAnswerBytes) return false;
  return (
    characters * bytesPerCharacter <= mostAnswerBytes ||
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
