import { explainCode } from "./explain-code.ts";

/** What the code of a fault or a warning means, and what to do. */
export const describeCode = (code: string): string => explainCode(code).join(". ");

/** The same as an element. */
export const Meaning = ({ code }: { readonly code: string }) => <>{describeCode(code)}</>;

/** What it means, for a heading. */
export const ShortMeaning = ({ code }: { readonly code: string }) => <>{explainCode(code)[0]}</>;

/** What to do about it. */
export const Remedy = ({ code }: { readonly code: string }) => <>{explainCode(code)[1]}</>;
