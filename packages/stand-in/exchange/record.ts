/** A scorecard that the exchange accepted. */
export interface ReceivedCard {
  /** API set that it was posted under. */
  readonly apiSet: string;
  readonly at: Date;
  /** Number of its request; the cards of one post share it. */
  readonly request: number;
  /** As parsed from the body; not validated. */
  readonly card: unknown;
}

const none = {
  ...{ clubs: 0, club: 0, courses: 0, course: 0 },
  ...{ golfer: 0, golferByToken: 0, scorecards: 0, records: 0 },
};

/** The union's endpoints, for counting requests. */
export type StandInEndpoint = keyof typeof none;

/** Everything that a stand-in has received; it survives restarts. */
export interface ReceptionRecord {
  /** Every card, in order. */
  readonly received: ReceivedCard[];
  /** Number of requests by endpoint, whatever their response. */
  readonly requests: Record<StandInEndpoint, number>;
  /** Requests for players' records: those under way, and the most at the same time so far. */
  readonly records: { atOnce: number; maxAtOnce: number };
}

/** An empty record. */
export const emptyRecord = (): ReceptionRecord => ({
  received: [],
  requests: { ...none },
  records: { atOnce: 0, maxAtOnce: 0 },
});

/** The number of requests so far. */
export function requestCount({ requests }: ReceptionRecord): number {
  return Object.values(requests).reduce((sum, count) => sum + count, 0);
}

/** A card's ExternalID; undefined if it is not a string. */
export function externalIdOf(card: unknown): string | undefined {
  const id = (card as { ExternalID?: unknown } | null)?.ExternalID;
  return typeof id === "string" ? id : undefined;
}
