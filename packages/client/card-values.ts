/**
 * A handicap, rating or differential as a card has it: times 10,000, as a whole number.
 *
 * @throws RangeError if it is no number
 * @example
 * scaled(7.8) // 78000; a plus handicap of 1.2 is scaled(-1.2)
 */
export function scaled(value: number): number {
  if (!Number.isFinite(value)) throw new RangeError("The value is no number. Give it as on paper: 7.8.");
  return Math.round(value * 10_000);
}

/**
 * An instant as a card has it: `yyyymmddThhmmss` by the clock at the course, without a zone.
 *
 * @param timeZone of the course; IANA name. `activity()` answers the union's
 * @throws RangeError if the date or the zone is none
 */
export function timestamp(date: Date, timeZone: string): string {
  // The Swedish form is that of ISO 8601, with a space.
  return date.toLocaleString("sv", { timeZone }).replaceAll(/[-:]/g, "").replace(" ", "T");
}

/**
 * Names the card of a round: the same parts have the same name in every retry. It is a hash, since names stand in addresses and logs,
 * where no member number may be.
 *
 * @param player your own ID of the player, or the member number
 */
export async function externalId(
  tournament: string,
  round: number | string,
  player: string,
): Promise<string> {
  const parts = new TextEncoder().encode(JSON.stringify([tournament, String(round), player]));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", parts));
  return Array.from(hash.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
