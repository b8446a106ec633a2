import type { Finding } from "./findings.ts";

/** The warning about a card whose player the union does not know. It does not repeat the number, which is personal data. */
export const unknownPlayer = (index: number, externalId: string): Finding => ({
  index,
  externalId,
  pointer: "/Player/UnionID",
  code: "player_unknown",
  detail:
    "The union knows nobody with this UnionID. The exchange takes the card all the same, and no handicap is calculated from it. Check the number, and send the card with the right one.",
});
