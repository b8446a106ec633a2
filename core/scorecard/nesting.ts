/** Deeper than any card, and far from what would exhaust a program that walks one. */
export const deepestNesting = 32;

/** Whether a JSON value is nested deeper than so many levels. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((entry) => isDeeperThan(entry, levels - 1));
}
