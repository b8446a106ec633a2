import type { ApiSet } from "../accounts/api-set.ts";
import type { ScorecardTable } from "../dynamodb/scorecards.ts";
import type { Finding } from "../scorecard/finding.ts";
import type { Breaker } from "./breaker.ts";
import { type CardState, type DeliveryFailure, isFinal, type StoredCard } from "./card.ts";

/** Why a post failed, as vendors read it: they know its phase as `stage`. */
export interface DeliveryError {
  readonly stage: DeliveryFailure["phase"];
  /** Of the exchange's response, if there was one. */
  readonly status?: number;
  readonly message: string;
}

/** What a vendor is told of a card. Times are ISO 8601, UTC. */
export interface CardStatus {
  readonly externalId: string;
  /** `unknown` if no such card has been accepted. */
  readonly state: CardState | "unknown";
  /** The card's ID at the union. */
  readonly id?: unknown;
  readonly acceptedAt?: string;
  /** When the state was recorded. */
  readonly since?: string;
  /** Posts to the exchange so far. */
  readonly attempts?: number;
  readonly lastError?: DeliveryError;
  readonly nextAttemptAt?: string;
  /** Nothing can be delivered for the vendor now: since when, why, and when it is tried next. */
  readonly paused?: {
    readonly since: string;
    readonly lastError: DeliveryError;
    readonly nextAttemptAt: string;
  };
  readonly warnings?: readonly Finding[];
  /** Outcomes of earlier contents of the card, the latest last. */
  readonly earlier?: readonly { readonly state: CardState; readonly at: string }[];
}

const time = (milliseconds: number) => new Date(milliseconds).toISOString();
const told = ({ phase, ...failure }: DeliveryFailure): DeliveryError => ({ stage: phase, ...failure });

/** What became of a card; a card that waits while the vendor's circuit breaker is open has the reason with it. */
export function cardStatus(externalId: string, card: StoredCard | undefined, { open }: Breaker): CardStatus {
  if (card === undefined) return { externalId, state: "unknown" };
  const { state, since, acceptedAt, attempts, failure, nextAttemptAt, earlier, content } = card;
  const warnings = [...content.warnings()];
  const paused = isFinal(state) || open === undefined ? undefined : open;
  return {
    externalId,
    id: (JSON.parse(content.text()) as { readonly ID?: unknown }).ID,
    acceptedAt: time(acceptedAt),
    state,
    since: time(since),
    ...((attempts > 0 || state === "retrying") && { attempts }),
    ...(failure !== undefined && { lastError: told(failure) }),
    ...(nextAttemptAt !== undefined && { nextAttemptAt: time(nextAttemptAt) }),
    ...(paused !== undefined && {
      paused: {
        since: time(paused.since),
        lastError: told(paused.failure),
        nextAttemptAt: time(paused.nextProbeAt),
      },
    }),
    ...(warnings.length > 0 && { warnings }),
    ...(earlier.length > 0 && { earlier: earlier.map(({ state, at }) => ({ state, at: time(at) })) }),
  };
}

/** What became of a vendor's cards, in the order of their names. */
export async function readStatuses(
  table: Pick<ScorecardTable, "read" | "readBreaker">,
  apiSet: ApiSet,
  externalIds: readonly string[],
): Promise<CardStatus[]> {
  const keys = externalIds.map((externalId) => ({ apiSet, externalId }));
  const [cards, breaker] = await Promise.all([table.read(keys), table.readBreaker(apiSet)]);
  const stored = new Map(cards.map((card) => [card.externalId, card]));
  return externalIds.map((externalId) => cardStatus(externalId, stored.get(externalId), breaker));
}
