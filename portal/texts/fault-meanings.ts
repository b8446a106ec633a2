/** The explanation of each code in docs/faults.md. lib/bundles.ts puts it into the bundle. */
declare const FAULT_MEANINGS: Readonly<Record<string, string>>;

/** What a fault or a warning means and what to do; undefined for a code that is newer than the page. */
export const meaningOf = (code: string): string | undefined => FAULT_MEANINGS[code];
