import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { ApiSet } from "../../core/accounts/account.ts";
import { scorecardTable } from "../../core/cards/delivery/scorecard-table.ts";
import { contentAcceptedAt, type StoredCard } from "../../core/cards/life/card.ts";
import { cardStatus, type StoredStatus } from "../../core/cards/status.ts";
import { knownApiSets } from "../base/known-api-sets.ts";
import { type ScannedTable, scanCards } from "../base/scan-cards.ts";
import type { Target, TargetStage } from "../base/target.ts";

/** Which cards of a vendor: those whose last content was accepted in a time. Milliseconds since 1970, UTC. */
export interface CardsOfTime {
  readonly stage: TargetStage;
  /** The vendor's API set. */
  readonly vendor: string;
  readonly from: number;
  /** The end, which does not belong to it; by default there is none. */
  readonly to?: number;
}

/** Cards that were found, and the time up to which all accepted ones are among them. */
export interface FoundCards {
  readonly apiSet: ApiSet;
  readonly cards: readonly StoredStatus[];
  /** ISO 8601, UTC. */
  readonly completeTo: string;
}

/**
 * The states of a vendor's cards whose last content was accepted in a time, the oldest first. It reads the whole table of cards: the
 * lists of a day are written from its stream and lag behind, and a card that they lack would be left to be delivered.
 *
 * @throws Error if no account has the API set
 */
export async function cardsOfTime(
  target: Target,
  { from, to = Number.MAX_SAFE_INTEGER, ...named }: CardsOfTime,
  note: ScannedTable["note"],
): Promise<FoundCards> {
  const { ScorecardTableName: table } = target.outputs;
  const dynamodb = new DynamoDBClient(target.client("dynamodb"));
  const [apiSet] = (await knownApiSets(target, dynamodb, named)) as [ApiSet];
  // A consistent read has all that was stored before it began.
  const completeTo = new Date().toISOString();
  const found: StoredCard[] = [];
  const isIn = (at: string) => `${at} >= :from AND ${at} < :to`;
  const filter = {
    vendors: [apiSet],
    // As `contentAcceptedAt`.
    condition: `(${isIn("#contentAt")}) OR (attribute_not_exists(#contentAt) AND ${isIn("#acceptedAt")})`,
    values: { ":from": { N: String(from) }, ":to": { N: String(to) } },
  };
  await scanCards({ dynamodb, table, note }, filter, async (cards) => {
    found.push(...cards);
  });
  const { breaker } = await scorecardTable(table, dynamodb).readWithBreaker(apiSet, []);
  const cards = found
    .toSorted((one, other) => contentAcceptedAt(one) - contentAcceptedAt(other))
    .map((card) => cardStatus(card.externalId, card, breaker));
  return { apiSet, cards, completeTo };
}

/** How many cards are in each state. @example stateCounts(cards) // "2 delivered, 1 queued" */
export function stateCounts(cards: readonly StoredStatus[]): string {
  const byState = Object.entries(Object.groupBy(cards, ({ state }) => state));
  return byState.map(([state, of]) => `${of?.length} ${state}`).join(", ");
}
