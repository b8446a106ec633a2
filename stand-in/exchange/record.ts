/** An element of an array of scorecards that the exchange took. */
export interface ReceivedCard {
  /** API set that it was posted under. */
  readonly apiSet: string;
  readonly at: Date;
  /** Number of the request that it came with; the cards of one post share it. */
  readonly request: number;
  /** As parsed from the body; not validated. */
  readonly card: unknown;
}

/** The union's endpoints, as requests are counted. */
export type Endpoint =
  | "clubs"
  | "club"
  | "courses"
  | "course"
  | "golfer"
  | "golferByToken"
  | "scorecards"
  | "oauth";

/** Everything that reached a stand-in; survives its restarts. */
export interface ReceptionRecord {
  /** Every card, in order. */
  readonly received: ReceivedCard[];
  /** Requests by endpoint, whatever they were answered. */
  readonly requests: Record<Endpoint, number>;
}

/** A record with nothing in it. */
export function emptyRecord(): ReceptionRecord {
  return {
    received: [],
    requests: {
      oauth: 0,
      clubs: 0,
      club: 0,
      courses: 0,
      course: 0,
      golfer: 0,
      golferByToken: 0,
      scorecards: 0,
    },
  };
}

/** The number of requests so far. */
export function requestCount({ requests }: ReceptionRecord): number {
  return Object.values(requests).reduce((sum, count) => sum + count, 0);
}

/** The ExternalID of a card, where it has one that is a text. */
export function externalIdOf(card: unknown): string | undefined {
  const id = (card as { ExternalID?: unknown } | null)?.ExternalID;
  return typeof id === "string" ? id : undefined;
}
