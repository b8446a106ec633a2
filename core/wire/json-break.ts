/** How the engine names a place. Messages that quote the text end in other words, so that a text cannot name one. */
const namedPlace = / in JSON at position (\d+) \(line \d+ column \d+\)$/;

/** The most characters that are looked through: a tenth of a second's work. */
const mostCharacters = 256 * 1024;

/**
 * Where the engine finds a text to be no JSON: at its end where it only ends too early, or not even that; undefined
 * where the engine does not say.
 */
function placeByEngine(text: string): number | undefined {
  try {
    JSON.parse(text);
    return text.length;
  } catch (error) {
    const { message } = error as SyntaxError;
    if (message === "Unexpected end of JSON input") return text.length;
    const place = namedPlace.exec(message)?.[1];
    return place === undefined ? undefined : Number(place);
  }
}

/**
 * The place of the first character that makes a text no JSON; its length where it only ends too early.
 *
 * The engine does not name the place of a word that JSON does not have, such as NaN. That is searched for by halves: a
 * beginning of the text that is good as far as it goes fails at its very end.
 *
 * @param text one that `JSON.parse` refuses
 * @returns undefined where the place is too far from the beginning to be searched for
 */
export function jsonBreak(text: string): number | undefined {
  const named = placeByEngine(text);
  if (named !== undefined) return named;
  const isGood = (length: number) => placeByEngine(text.slice(0, length)) === length;
  let good = 0;
  let bad = Math.min(text.length, mostCharacters);
  if (isGood(bad)) return undefined;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isGood(middle)) good = middle;
    else bad = middle;
  }
  return good;
}
