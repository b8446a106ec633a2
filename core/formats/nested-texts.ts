/** All texts of a value, those of JSON that is a text in it included. */
export function collectTexts(value: unknown): string[] {
  if (typeof value === "string") {
    const inner = parseNested(value);
    return inner === undefined ? [value] : collectTexts(inner);
  }
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.entries(value).flatMap(([name, entry]) => [name, ...collectTexts(entry)]);
}

/** A JSON object or array in a text. */
export function parseNested(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
