const [quote, comma, backslash] = [34, 44, 92];
const isOpening = (character: number) => character === 91 || character === 123;
const isClosing = (character: number) => character === 93 || character === 125;

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

function membersOf(object: string): Member[] {
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
  return membersOf(object).findLast(({ key }) => key === name)?.value;
}

/** A JSON object with this value under a key. The texts of its other members stay as they are, in their order. */
export function withMember(object: string, name: string, value: string): string {
  const members = membersOf(object);
  const texts = members.filter(({ key }) => key !== name).map(({ text }) => text);
  const first = members.findIndex(({ key }) => key === name);
  texts.splice(first === -1 ? texts.length : first, 0, `${JSON.stringify(name)}:${value}`);
  return `{${texts.join()}}`;
}
