import { texts } from "../texts/texts.ts";

/** What the code of a fault or a warning means to who enters cards, and what to do. A code may be newer than the page. */
export function explainCode(code: string): readonly [meaning: string, remedy: string] {
  const known: Readonly<Record<string, readonly string[]>> = texts.faults;
  const [meaning = texts.refusals.unknownCode, remedy = texts.refusals.program] = known[code] ?? [];
  return [meaning, remedy];
}

/** What the code of a fault or a warning means, and what to do. */
export const describeCode = (code: string): string => explainCode(code).join(". ");

/** The same as an element. */
export const Meaning = ({ code }: { readonly code: string }) => <>{describeCode(code)}</>;

/** What it means, for a heading. */
export const ShortMeaning = ({ code }: { readonly code: string }) => <>{explainCode(code)[0]}</>;

/** What to do about it. */
export const Remedy = ({ code }: { readonly code: string }) => <>{explainCode(code)[1]}</>;
