/** Warnings after which the exchange takes a card and no handicap follows from it. */
const uncountedCodes: ReadonlySet<string> = new Set([
  "player_unknown",
  "tee_gender_differs",
  "no_right_to_play",
  "membership_ended",
  "tee_unrated",
]);

/**
 * How many cards will not count, by how many have each warning. Of an unknown player nothing else is known; of the other warnings a card may
 * have several, so it is at least so many.
 */
export function countUncounted(
  warnings: readonly { readonly code: string; readonly cards: number }[],
): number {
  const of = (isOf: (code: string) => boolean) =>
    warnings.filter(({ code }) => isOf(code)).map(({ cards }) => cards);
  const unknown = of((code) => code === "player_unknown");
  const others = of((code) => code !== "player_unknown" && uncountedCodes.has(code));
  return Math.max(0, ...unknown) + Math.max(0, ...others);
}

/** Whether a card with these warnings will not count, so that somebody has to say that it is sent all the same. */
export const isUncounted = (warnings: readonly { readonly code: string }[] | undefined): boolean =>
  warnings?.some(({ code }) => uncountedCodes.has(code)) ?? false;
