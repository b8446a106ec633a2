/** How the engine names a place. Messages that quote the text end in other words, so that a text cannot name one. */
const namedPlace = / in JSON at position (\d+) \(line \d+ column \d+\)$/;

/** The most characters that are looked through: a tenth of a second's work. */
const mostCharacters = 256 * 1024;

/** What the engine says is wrong with a text; undefined if it is JSON. */
function engineMessage(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return (error as SyntaxError).message;
  }
}

/** The place that the engine's message about a text names, its end if it only ends too early; undefined if it names none. */
function placeIn(message: string, text: string): number | undefined {
  if (message === "Unexpected end of JSON input") return text.length;
  const place = namedPlace.exec(message)?.[1];
  return place === undefined ? undefined : Number(place);
}

/** Whether a beginning of a text has no fault: it is JSON, or only ends too early. */
function isGood(beginning: string): boolean {
  const message = engineMessage(beginning);
  return message === undefined || placeIn(message, beginning) === beginning.length;
}

/**
 * The place of the first character that makes a text no JSON; its length where it only ends too early.
 *
 * The engine does not name the place of a word that JSON does not have, such as NaN. That is searched for by halves: a
 * beginning of the text that is good as far as it goes fails at its very end.
 *
 * @returns undefined if the text is JSON, or if the place is too far from the beginning to be searched for
 */
export function jsonBreak(text: string): number | undefined {
  const message = engineMessage(text);
  if (message === undefined) return undefined;
  const named = placeIn(message, text);
  if (named !== undefined) return named;
  let good = 0;
  let bad = Math.min(text.length, mostCharacters);
  if (isGood(text.slice(0, bad))) return undefined;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isGood(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}
