import type { UnionProfile } from "./union-profile.ts";

/** Dansk Golf Union. The path and the records' API set are those that its own app uses; the rules are its published ones. */
export const denmark = {
  name: "Danish Golf Union",
  country: "DK",
  timeZone: "Europe/Copenhagen",
  exchangePath: "Clubs/Members/ExchangedScorecards",
  records: { apiSet: "statistik", account: "vendor" },
  terms: {
    language: "da",
    handicapIndex: "Handicapindeks",
    courseHandicap: "Spillehandicap",
    playingHandicap: "Justeret spillehandicap",
    source: "Dansk Golf Union, Handicapregler: definitioner af Course Handicap og Playing Handicap",
  },
  rules: { scoresForHandicap: 1, highestHandicapIndex: 72 },
} satisfies UnionProfile;
