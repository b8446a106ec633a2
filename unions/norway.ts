import type { UnionProfile } from "./union-profile.ts";

/**
 * Norges Golfforbund, which tests the platform's open interfaces with vendors.
 *
 * Known: country and time zone. Presumed until `npm run conformance` has been run at the union: the exchange's path and the
 * records' API set, which are the platform's as the Danish app uses them, and that records need an account of their own. Presumed,
 * too: that the Rules of Handicapping apply as they are.
 */
export const norway: UnionProfile = {
  name: "Norwegian Golf Federation",
  country: "NO",
  timeZone: "Europe/Oslo",
  exchangePath: "Clubs/Members/ExchangedScorecards",
  records: { apiSet: "statistik", account: "own" },
  rules: { scoresForHandicap: 3, highestHandicapIndex: 54 },
};
