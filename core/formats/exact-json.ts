/** ECMAScript's access to the source text of numbers in JSON, which TypeScript does not declare yet. */
interface SourceJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): object;
  isRawJSON(value: unknown): boolean;
}

const json = JSON as unknown as SourceJson;

/** A double holds any number of at most 15 digits. */
const maxDigits = 15;
const exponent = /\d[eE][+-]?\d+[\s,\]}]/;
const isZero = (character: number) => character === 48;
const isFigure = (character: number) => (character >= 48 && character <= 57) || character === 46;

/**
 * Whether JSON may have a number that no double holds: one with an exponent or more digits. A string that looks like one counts
 * too. Every submission is searched, so only every sixteenth character is read: sixteen digits in a row always hit one.
 */
function mayHaveLongNumber(text: string): boolean {
  for (let position = maxDigits; position < text.length; position += maxDigits + 1) {
    if (!isFigure(text.charCodeAt(position))) continue;
    let start = position;
    while (isFigure(text.charCodeAt(start - 1))) start--;
    let end = position + 1;
    while (isFigure(text.charCodeAt(end))) end++;
    if (end - start > maxDigits) return true;
  }
  return exponent.test(text);
}

/**
 * Parses JSON without losing what a double cannot hold: 12345678901234567890 becomes an object that `JSON.stringify` writes with
 * the same digits. Any number that a double holds, however it is written, becomes a number, and so does any that rounds to a safe
 * integer: code that reads integers need not handle the object.
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

/** Whether a value is the object that `parseExactly` makes of a number that a double cannot hold. */
export const isLongNumber = (value: unknown): boolean =>
  // Nearly no object has the property. Looking for it is faster than the call, which a card would need for each hole.
  (value as { readonly rawJSON?: unknown } | null | undefined)?.rawJSON !== undefined &&
  json.isRawJSON(value);

/** A copy with each such object replaced by the number that `JSON.parse` reads. */
export const withPlainNumbers = (value: object): object => JSON.parse(JSON.stringify(value));

/** A number's significant digits and exponent: the same for 1.10 and 11e-1. */
function figures(number: string): string | undefined {
  const [, sign, whole, fraction = "", exponent = "0"] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(number) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole + fraction;
  let first = 0;
  while (isZero(digits.charCodeAt(first))) first++;
  // Counted, since /0+$/ starts over at each zero: half a minute for a number of 120,000 zeros.
  let end = digits.length;
  while (end > first && isZero(digits.charCodeAt(end - 1))) end--;
  if (first === end) return "0";
  return `${sign}${digits.slice(first, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}

/** The end of an engine's message that names a position. Messages that quote the text end in other words. */
const namedPosition = / in JSON at position (\d+) \(line \d+ column \d+\)$/;

/** The most characters that are searched, which takes a tenth of a second. */
const maxSearched = 256 * 1024;

/** What the engine reports about a text: undefined if it is JSON, else where it breaks, if the message names that. */
function parseFault(text: string): { readonly position: number | undefined } | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const { message } = error as SyntaxError;
    if (message === "Unexpected end of JSON input") return { position: text.length };
    const position = namedPosition.exec(message)?.[1];
    return { position: position === undefined ? undefined : Number(position) };
  }
}

/** Whether a text is JSON or the beginning of JSON. */
function isGoodBeginning(beginning: string): boolean {
  const fault = parseFault(beginning);
  return fault === undefined || fault.position === beginning.length;
}

/**
 * The position of the first character that makes a text invalid JSON; its length if it only ends too early.
 *
 * The engine does not name the position of a word that JSON does not have, such as NaN. A binary search finds it: a beginning
 * without a fault fails at its very end.
 *
 * @returns undefined if the text is JSON, or if the position is too far from the beginning to be searched for
 */
export function jsonBreak(text: string): number | undefined {
  const fault = parseFault(text);
  if (fault === undefined || fault.position !== undefined) return fault?.position;
  let good = 0;
  let bad = Math.min(text.length, maxSearched);
  if (isGoodBeginning(text.slice(0, bad))) return undefined;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isGoodBeginning(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

const [quote, comma, backslash] = [34, 44, 92];
const isOpening = (character: number) => character === 91 || character === 123;
const isClosing = (character: number) => character === 93 || character === 125;

/** The most that a JSON text may have. */
export interface JsonLimits {
  /** Entries of arrays and fields of objects, at all levels together. */
  readonly values: number;
  readonly levels: number;
}

/** Which limit a JSON text exceeds, if any. It is not parsed, because that takes memory for each value. */
export function findExcess(text: string, limits: JsonLimits): keyof JsonLimits | undefined {
  let [values, levels] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === quote) at = stringEnd(text, at);
    else if (isClosing(character)) levels--;
    else if (character === comma || isOpening(character)) {
      if (character !== comma && ++levels > limits.levels) return "levels";
      if (++values > limits.values) return "values";
    }
  }
  return undefined;
}

/** The position of the quote that ends the string which begins at `start`; at least the text's length if none does. */
function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== quote) at += text.charCodeAt(at) === backslash ? 2 : 1;
  return at;
}

/** The texts between the commas of an array or object; one empty text if it has none. @throws SyntaxError */
function split(text: string, brackets: "[]" | "{}"): string[] {
  const whole = text.trim();
  if (whole[0] !== brackets[0] || whole.at(-1) !== brackets[1]) throw new SyntaxError(`No ${brackets}.`);
  const parts: string[] = [];
  let depth = 0;
  let start = 1;
  const end = whole.length - 1;
  for (let at = start; at < end; at++) {
    const character = whole.charCodeAt(at);
    if (character === quote) at = stringEnd(whole, at);
    else if (isOpening(character)) depth++;
    else if (isClosing(character) && depth-- === 0) throw new SyntaxError("A bracket closes nothing.");
    else if (character === comma && depth === 0) {
      parts.push(whole.slice(start, at).trim());
      start = at + 1;
    }
  }
  return [...parts, whole.slice(start, end).trim()];
}

/**
 * The text of each element of a JSON array. Unlike parsing and writing again, this does not change numbers beyond a double, or
 * a key such as `__proto__`; and a long list takes no memory for objects.
 *
 * @throws SyntaxError if the text is no array; an element that is not JSON is returned as it is
 */
export function elementTexts(array: string): string[] {
  const elements = split(array, "[]");
  return elements.length === 1 && elements[0] === "" ? [] : elements;
}

interface Member {
  readonly key: string;
  readonly value: string;
  /** Both, as they are written. */
  readonly text: string;
}

function readMembers(object: string): Member[] {
  const texts = split(object, "{}").filter((text) => text !== "");
  return texts.map((text) => {
    const end = stringEnd(text, 0) + 1;
    return {
      key: JSON.parse(text.slice(0, end)),
      value: text.slice(text.indexOf(":", end) + 1).trim(),
      text,
    };
  });
}

/** The text of the value that a JSON object has under a key; the last one if it has several. */
export function memberText(object: string, name: string): string | undefined {
  return readMembers(object).findLast(({ key }) => key === name)?.value;
}

/** A JSON object with this value under a key. The texts of its other members stay as they are, in their order. */
export function withMember(object: string, name: string, value: string): string {
  const members = readMembers(object);
  const texts = members.filter(({ key }) => key !== name).map(({ text }) => text);
  const first = members.findIndex(({ key }) => key === name);
  texts.splice(first === -1 ? texts.length : first, 0, `${JSON.stringify(name)}:${value}`);
  return `{${texts.join()}}`;
}
