import type { ApiSet } from "../accounts/account.ts";

/** The types of events that an endpoint can receive. */
export const eventTypes = [
  "scorecard.delivered",
  "scorecard.rejected",
  "scorecard.undelivered",
  "scorecard.withdrawn",
  "scorecard.player_unknown",
  "scorecard.recorded",
  "scorecard.not_recorded",
  "delivery.paused",
  "delivery.resumed",
  "scorecards.unsent",
] as const;

/** Most characters of an endpoint's URL. */
export const longestUrl = 2_000;

/** The type of an event about cards or their delivery. */
export type EventType = (typeof eventTypes)[number];

/** A secret that events are signed with. */
export interface WebhookSecret {
  /** `whsec_` and base64. */
  readonly secret: string;
  /** Set once another one has replaced it: until when events are signed with both, in milliseconds since 1970. */
  readonly until?: number;
}

/** Since when an endpoint has taken nothing, and when it is tried next. Times in milliseconds since 1970, UTC. */
export interface FailingEndpoint {
  readonly since: number;
  /** Failed posts in a row. */
  readonly failures: number;
  readonly nextAttemptAt: number;
  /** HTTP status, if the endpoint answered. */
  readonly status?: number;
  readonly message: string;
}

/** How long an endpoint took over an event. */
export interface EndpointPace {
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly milliseconds: number;
}

/** Why nothing is sent to an endpoint any more. */
export interface DisabledEndpoint {
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
  readonly why: "gone" | "failed_for_days" | "by_vendor";
}

/** An address at which a vendor receives events. */
export interface WebhookEndpoint {
  readonly apiSet: ApiSet;
  readonly id: string;
  /** Counts the changes; each is a compare-and-set by this. */
  readonly version: number;
  readonly url: string;
  readonly types: readonly EventType[];
  /** The newest last. */
  readonly secrets: readonly WebhookSecret[];
  /** Milliseconds since 1970, UTC. */
  readonly createdAt: number;
  /** When it took an event last, milliseconds since 1970, UTC; up to a minute late. */
  readonly lastTakenAt?: number;
  /** How long it took over an event, and when that was stored. */
  readonly pace?: EndpointPace | undefined;
  /** Until when one run alone posts to it, milliseconds since 1970, UTC. */
  readonly busyUntil?: number | undefined;
  /** Until when a vendor's test of it may be under way, milliseconds since 1970, UTC. */
  readonly testedUntil?: number | undefined;
  /** When a replay was asked for that sent something, milliseconds since 1970, UTC. */
  readonly replayedAt?: number | undefined;
  readonly failing?: FailingEndpoint | undefined;
  readonly disabled?: DisabledEndpoint | undefined;
}

/** The most endpoints that a vendor may have. */
export const endpointsLimit = 5;

const day = 86_400_000;

/** The secrets that an event is signed with now. */
export const secretsInUse = ({ secrets }: WebhookEndpoint, now: number): string[] =>
  secrets.filter(({ until = Number.POSITIVE_INFINITY }) => until > now).map(({ secret }) => secret);

/** The most secrets that are valid at the same time: each adds a signature to every event. */
const secretsLimit = 5;

/** Time between two replays to an endpoint, in milliseconds: each sends all outcomes of a day again. */
export const replayPause = 60_000;

/** The secrets after a new one: the one before it is valid for another day, unless four others have replaced it meanwhile. */
export function withNewSecret(
  { secrets }: WebhookEndpoint,
  secret: string,
  now: number,
): readonly WebhookSecret[] {
  const valid = secrets.filter(({ until = Number.POSITIVE_INFINITY }) => until > now);
  const replaced = valid.map((one) => ({ ...one, until: one.until ?? now + day }));
  return [...replaced.slice(1 - secretsLimit), { secret }];
}

/** An endpoint that takes longer over an event is slow. Milliseconds. */
export const slowAnswer = 1_000;
/** For this time an endpoint that was quick is taken to be so still. Milliseconds. */
const paceKnown = 600_000;

/**
 * Whether several runs may post to an endpoint at the same time. Otherwise it gets one at a time, so that one vendor's slow
 * endpoints hold at most a run each.
 */
export const isQuick = ({ pace }: WebhookEndpoint, now: number): boolean =>
  pace !== undefined && pace.milliseconds <= slowAnswer && now - pace.at < paceKnown;

/** Endpoints that have failed for three days are disabled. */
export const longestFailure = 3 * day;

/** The wait before the next attempt at a failing endpoint, in milliseconds: a quarter of the time that it has failed for. */
export const endpointWait = (failingFor: number): number =>
  Math.max(5_000, Math.min(3_600_000, failingFor / 4));
