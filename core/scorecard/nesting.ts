/** More levels than any real card has, and far fewer than would exhaust the stack of a program that walks it. */
export const deepestNesting = 32;

/** Whether a JSON value is nested deeper than a number of levels. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((entry) => isDeeperThan(entry, levels - 1));
}
