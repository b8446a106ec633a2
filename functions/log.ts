/**
 * Writes one line of structured log. Callers name what happened and to how many; never who, nor a card's content.
 */
export function log(event: { readonly message: string } & Record<string, string | number>): void {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`);
}
