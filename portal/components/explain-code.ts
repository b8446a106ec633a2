import { texts } from "../texts/texts.ts";

/** What the code of a fault or a warning means to who enters cards, and what to do. A code may be newer than the page. */
export function explainCode(code: string): readonly [meaning: string, remedy: string] {
  const known: Readonly<Record<string, readonly string[]>> = texts.faults;
  const [meaning = texts.refusals.unknownCode, remedy = texts.refusals.program] = known[code] ?? [];
  return [meaning, remedy];
}
