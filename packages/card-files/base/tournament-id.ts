/** A tournament's name as the API compares it. */
export const plainTournament = (name: string): string =>
  name.toWellFormed().normalize("NFC").replaceAll(/\s+/gu, " ").trim();

/**
 * The ID of a tournament by its name, as the API makes it. The ID stands for the name in addresses, which are logged in many places,
 * since a name may say who celebrates. A test compares it with the API's.
 */
export async function tournamentIdOf(name: string): Promise<string> {
  const digest = new Uint8Array(
    await crypto.subtle.digest("SHA-256", new TextEncoder().encode(plainTournament(name))),
  );
  const base64 = btoa(String.fromCharCode(...digest))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
  return `~${base64.slice(0, 22)}`;
}
