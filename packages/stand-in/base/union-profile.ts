import type { ScoresForHandicap } from "@scorecard-pipeline/whs";

/** What differs between the unions that the stand-in can be. */
export interface StandInProfile {
  /** IANA name of the zone of its clubs: courses are activated and rounds are dated in it. */
  readonly timeZone: string;
  /** Path of the exchange below the API set. */
  readonly exchangePath: string;
  /** API set of the players' records, of every account. */
  readonly recordsApiSet: string;
  /** Scores that a player's first Handicap Index takes. */
  readonly scoresForHandicap: ScoresForHandicap;
  /** What phone numbers begin with. */
  readonly phonePrefix: string;
  /** Language by which texts are sorted, an IETF tag. */
  readonly language: string;
}

/** The unions that the stand-in can be, by name. Norway's path, API set and rule are presumed: they are the platform's and the Rules'. */
export const unionProfiles = {
  denmark: {
    timeZone: "Europe/Copenhagen",
    exchangePath: "Clubs/Members/ExchangedScorecards",
    recordsApiSet: "statistik",
    scoresForHandicap: 1,
    phonePrefix: "+45",
    language: "da",
  },
  norway: {
    timeZone: "Europe/Oslo",
    exchangePath: "Clubs/Members/ExchangedScorecards",
    recordsApiSet: "statistik",
    scoresForHandicap: 3,
    phonePrefix: "+47",
    language: "nb",
  },
} as const satisfies Record<string, StandInProfile>;

/** Name of a union that the stand-in can be. */
export type UnionProfileName = keyof typeof unionProfiles;
