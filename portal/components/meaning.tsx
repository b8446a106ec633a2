import { meaningOf } from "../texts/fault-meanings.ts";
import { texts } from "../texts/texts.ts";
import { MarkedText } from "./marked-text.tsx";

/** What the code of a fault or a warning means, in a sentence, and then what to do. */
function splitSentences(code: string): readonly [first: string, rest: string] {
  const text = meaningOf(code) ?? texts.refusals.unknownCode;
  const end = text.search(/\. /);
  return end === -1 ? [text, ""] : [text.slice(0, end + 1), text.slice(end + 2)];
}

/** What the code of a fault or a warning means, and what to do. */
export const Meaning = ({ code }: { readonly code: string }) => (
  <MarkedText text={splitSentences(code).join(" ")} />
);

/** What it means, for a heading. */
export const ShortMeaning = ({ code }: { readonly code: string }) => (
  <MarkedText text={splitSentences(code)[0].replace(/\.$/, "")} />
);

/** What to do about it. */
export const Remedy = ({ code }: { readonly code: string }) => <MarkedText text={splitSentences(code)[1]} />;
