/** What differs between the unions that the stand-in can be. */
export interface UnionProfile {
  /** IANA name of the zone of its clubs: courses are activated and rounds are dated in it. */
  readonly timeZone: string;
  /** Path of the exchange below the API set. */
  readonly exchangePath: string;
  /** API set of the players' records, of every account. */
  readonly recordsApiSet: string;
  /** What phone numbers begin with. */
  readonly phonePrefix: string;
}

/** The unions that the stand-in can be, by name. Norway's path and API set are presumed: they are the platform's. */
export const unionProfiles = {
  denmark: {
    timeZone: "Europe/Copenhagen",
    exchangePath: "Clubs/Members/ExchangedScorecards",
    recordsApiSet: "statistik",
    phonePrefix: "+45",
  },
  norway: {
    timeZone: "Europe/Oslo",
    exchangePath: "Clubs/Members/ExchangedScorecards",
    recordsApiSet: "statistik",
    phonePrefix: "+47",
  },
} as const satisfies Record<string, UnionProfile>;

/** Name of a union that the stand-in can be. */
export type UnionProfileName = keyof typeof unionProfiles;
