import type { Finding } from "./findings.ts";
import { type MemberWarningCode, memberWarning } from "./member-warnings.ts";
import { doubtInWords, type RoundDoubt } from "./same-round.ts";

/** A warning that was found after a card's delivery, as it is stored: without a value of a person. */
export type LaterWarning =
  | { readonly code: Exclude<MemberWarningCode, "player_unknown"> }
  /** `other`: the ExternalID of the vendor's own card that it is about; left out if that is another vendor's. */
  | { readonly code: RoundDoubt; readonly other?: string };

/** The finding of a stored warning. */
export function laterFinding(externalId: string, warning: LaterWarning): Finding {
  const { code } = warning;
  if (code !== "round_seen" && code !== "rounds_overlap" && code !== "rounds_many")
    return memberWarning(0, externalId, { code });
  const other = "other" in warning ? `Your card ${warning.other}` : "A card of another vendor";
  return { index: 0, externalId, pointer: "/Round/StartTime", code, detail: doubtInWords(code, other) };
}
