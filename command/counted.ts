/** A number of things in words. @example counted(1, "card") // "1 card" */
export function counted(number: number, thing: string): string {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}
