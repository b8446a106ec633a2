/** U+FFFD, which stands for whatever is not UTF-8 where bytes were read as such: different bytes all become the same. */
const replacementCharacter = "\ufffd";

/** Whether something of a text was lost where it was read, most likely since it was not written in UTF-8. */
export function isGarbled(text: string): boolean {
  return text.includes(replacementCharacter);
}
