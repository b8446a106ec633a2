/** What JavaScript has to read and write numbers as they stand in JSON, which TypeScript does not know yet. */
interface SourceJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
}

const json = JSON as unknown as SourceJson;

/** Any fifteen digits are those of a double. */
const mostDigits = 15;
const exponent = /\d[eE][+-]?\d+[\s,\]}]/;
const isZero = (character: number) => character === 48;
const isFigure = (character: number) => (character >= 48 && character <= 57) || character === 46;

/**
 * Whether JSON may have a number that no double holds: with an exponent, or of more digits. It may stand in a text, too.
 *
 * Nearly no submission has one, and every one is looked through for it. So only every sixteenth character is looked at,
 * which sixteen digits in a row cannot escape.
 */
function mayHaveLongNumber(text: string): boolean {
  for (let place = mostDigits; place < text.length; place += mostDigits + 1) {
    if (!isFigure(text.charCodeAt(place))) continue;
    let start = place;
    while (isFigure(text.charCodeAt(start - 1))) start--;
    let end = place + 1;
    while (isFigure(text.charCodeAt(end))) end++;
    if (end - start > mostDigits) return true;
  }
  return exponent.test(text);
}

/**
 * Reads JSON without losing what a double cannot hold: 12345678901234567890 stands in it as an object that
 * `JSON.stringify` writes as the same digits again. Any number that a double does hold is a number, however written, and
 * so is any that a double takes for one of the whole numbers it holds: nobody who reads one has to look for the object.
 *
 * @throws SyntaxError if the text is not JSON; RangeError if it has such a number and is nested thousands of levels deep
 * @see ECMA-262, JSON.rawJSON
 */
export function parseExactly(text: string): unknown {
  if (!mayHaveLongNumber(text)) return JSON.parse(text);
  return json.parse(text, (_key, value, { source }) =>
    typeof value !== "number" ||
    source === undefined ||
    Number.isSafeInteger(value) ||
    figures(source) === figures(String(value))
      ? value
      : json.rawJSON(source),
  );
}

/** Whether a value stands for a number that a double cannot hold: an object, but not one of JSON. */
export function isLongNumber(value: unknown): boolean {
  return json.isRawJSON(value);
}

/** A copy in which each number that a double cannot hold is the one that `JSON.parse` takes it for. */
export function withPlainNumbers(value: object): object {
  return JSON.parse(JSON.stringify(value)) as object;
}

/** The digits of a number and how many places they are shifted: the same for 1.10 and 11e-1. */
function figures(number: string): string | undefined {
  const [, sign, whole, fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole + fraction;
  let first = 0;
  while (isZero(digits.charCodeAt(first))) first++;
  // Counted, since /0+$/ begins anew at each zero: a number of 120,000 of them would take half a minute.
  let end = digits.length;
  while (end > first && isZero(digits.charCodeAt(end - 1))) end--;
  if (first === end) return "0";
  return `${sign}${digits.slice(first, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
