import { meaningOf } from "../texts/fault-meanings.ts";
import { texts } from "../texts/texts.ts";
import { MarkedText } from "./marked-text.tsx";

/** What the code of a fault or a warning means, and what to do. */
export const Meaning = ({ code }: { readonly code: string }) => (
  <MarkedText text={meaningOf(code) ?? texts.refusals.unknownCode} />
);
