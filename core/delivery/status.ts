import type * as z from "zod/mini";
import type { ApiSet } from "../account/api-set.ts";
import type { cardStatusSchema } from "../openapi/answers.ts";
import type { ScorecardTable } from "../store/scorecards.ts";
import type { Breaker } from "./breaker.ts";
import { type DeliveryFailure, isFinal, type StoredCard } from "./card.ts";

/** What a vendor is told of a card. */
export type CardStatus = z.infer<typeof cardStatusSchema>;

const time = (milliseconds: number) => new Date(milliseconds).toISOString();
/** Why a post failed; vendors know its phase as `stage`. */
const told = ({ phase, ...failure }: DeliveryFailure) => ({ stage: phase, ...failure });

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
