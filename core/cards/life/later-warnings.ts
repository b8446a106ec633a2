import type { Finding } from "../../golf/findings.ts";
import { type MemberWarningCode, memberWarning, memberWarningCodes } from "../../golf/member-warnings.ts";
import { doubtInWords, type Likeness, type RoundDoubt, roundDoubts } from "../../golf/same-round.ts";

/** The codes of the warnings that can be found after a card's delivery; `not_recorded` apart, which is an event of its own. */
export const laterCodes = [...memberWarningCodes, ...roundDoubts, "recorded_twice"] as const;

/** The code of such a warning. */
export type LaterCode = (typeof laterCodes)[number];

/** A warning that was found after a card's delivery, as it is stored: without a value of a person. */
export type LaterWarning =
  /** `asOf`: the day of the union's answer, if it was remembered. */
  | { readonly code: Exclude<MemberWarningCode, "player_unknown">; readonly asOf?: string }
  /** `other`: the ExternalID of the vendor's own card that it is about; left out if that is another vendor's. */
  | { readonly code: RoundDoubt; readonly other?: string; readonly likeness?: Likeness };

const isRoundDoubt = (code: LaterWarning["code"]): code is RoundDoubt =>
  roundDoubts.some((doubt) => doubt === code);

/** The finding of a stored warning. */
export function laterFinding(externalId: string, warning: LaterWarning): Finding {
  const { code } = warning;
  if (!isRoundDoubt(code)) return memberWarning(0, externalId, { ...warning, code });
  const other = "other" in warning ? `Your card ${warning.other}` : "A card of another vendor";
  const likeness = "likeness" in warning ? warning.likeness : undefined;
  const detail = doubtInWords(code, other, likeness);
  return { index: 0, externalId, pointer: "/Round/StartTime", code, detail };
}
