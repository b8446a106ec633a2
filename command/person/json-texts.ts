/** All texts of a value, those of JSON that is a text in it included. */
export function collectTexts(value: unknown): string[] {
  if (typeof value === "string") {
    const inner = /^\s*[[{]/.test(value) ? parsed(value) : undefined;
    return inner === undefined ? [value] : collectTexts(inner);
  }
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.entries(value).flatMap(([name, entry]) => [name, ...collectTexts(entry)]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
