/** Objects may get other members later; today they have those that are documented. */
export function withoutOtherMembers<Part>(part: Part): Part {
  if (typeof part !== "object" || part === null) return part;
  const entries = Object.entries(part).map(([name, value]) => [name, withoutOtherMembers(value)]);
  if (Array.isArray(part)) return entries.map(([, value]) => value) as Part;
  const isObject = "properties" in part && "type" in part && part.type === "object";
  return { ...(isObject && { additionalProperties: false }), ...Object.fromEntries(entries) };
}
