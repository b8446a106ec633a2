/** JSON for people: indented, but with lists of plain values, such as eighteen strokes, in one line. */
export function readableJson(value: unknown, indent = ""): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const lines = (open: string, close: string, entries: readonly string[]) =>
    entries.length === 0
      ? `${open}${close}`
      : `${open}\n${entries.map((entry) => inner + entry).join(",\n")}\n${indent}${close}`;
  if (!Array.isArray(value)) {
    const entries = Object.entries(value).filter(([, one]) => one !== undefined);
    return lines(
      "{",
      "}",
      entries.map(([name, one]) => `${JSON.stringify(name)}: ${readableJson(one, inner)}`),
    );
  }
  const isPlain = value.every((one) => typeof one !== "object" || one === null);
  const texts = value.map((one) => readableJson(one, inner));
  return isPlain ? `[${texts.join(", ")}]` : lines("[", "]", texts);
}
