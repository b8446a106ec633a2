const maxLength = 1000;
const maxNames = 40;
/** Names of fields, as programs write them. Others may be a value: an ExternalID, a number of a person. */
const fieldName = /^[a-z_]{1,40}$/i;

/** The words of all texts of a value, in lower case. */
function splitWords(value: unknown): readonly string[] {
  if (typeof value === "string") return value.toLowerCase().match(/\p{L}+/gu) ?? [];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(splitWords) : [];
}

function shapeOf(value: unknown, isShown: (name: string) => boolean): string {
  if (Array.isArray(value)) {
    return `[${[...new Set(value.map((element) => shapeOf(element, isShown)))].join(" | ")}]`;
  }
  if (value === null || typeof value !== "object") return value === null ? "null" : typeof value;
  const fields = Object.entries(value)
    .slice(0, maxNames)
    .map(([name, inner]) => `${isShown(name) ? name : "?"}: ${shapeOf(inner, isShown)}`);
  return `{${[...new Set(fields)].join(", ")}}`;
}

/**
 * Describes a response by the names and types of its fields, for a log. It has no value of the response, and no name that may be
 * one: those with digits, and words of the posted cards.
 *
 * @param cards JSON of the posted cards
 */
export function describeShape(text: string, cards: readonly string[]): string {
  let response: unknown;
  try {
    response = JSON.parse(text);
  } catch {
    return text.trim() === "" ? "empty" : "no JSON";
  }
  const words = new Set(cards.flatMap((card) => splitWords(JSON.parse(card))));
  const isShown = (name: string) => fieldName.test(name) && !words.has(name.toLowerCase());
  try {
    return shapeOf(response, isShown).slice(0, maxLength);
  } catch {
    return "nested too deep";
  }
}
