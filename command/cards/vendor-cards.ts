import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { ApiSet } from "../../core/accounts/account.ts";
import { accountTable } from "../../core/accounts/account-table.ts";
import { scorecardTable } from "../../core/cards/scorecard-table.ts";
import { type CardStatus, readStatuses } from "../../core/cards/status.ts";
import { dayOf } from "../../core/formats/union-time.ts";
import { activityReader } from "../../core/views/activity-table.ts";
import { settings } from "../../lib/settings.ts";
import { knownApiSets } from "../known-api-sets.ts";
import type { Target, TargetStage } from "../target.ts";

/** Which cards of a vendor: those whose last content was accepted in a time. Milliseconds since 1970, UTC. */
export interface CardsOfTime {
  readonly stage: TargetStage;
  /** The vendor's API set. */
  readonly vendor: string;
  readonly from: number;
  /** The end, which does not belong to it; by default now. */
  readonly to?: number;
}

const dayMilliseconds = 86_400_000;

/** The days in which a time falls, in a time zone. */
function daysOf(from: number, before: number, timeZone: string): string[] {
  const days = new Set<string>();
  for (let at = from; at < before; at += dayMilliseconds / 2) days.add(dayOf(at, timeZone));
  return [...days.add(dayOf(Math.max(from, before - 1), timeZone))];
}

/**
 * The states of a vendor's cards whose last content was accepted in a time, the oldest first.
 *
 * @throws Error if no account has the API set
 */
export async function cardsOfTime(
  { stage, outputs, client }: Target,
  { vendor, from, to = Date.now(), stage: named }: CardsOfTime,
): Promise<{ readonly apiSet: ApiSet; readonly cards: readonly CardStatus[] }> {
  const dynamodb = new DynamoDBClient(client("dynamodb"));
  const accounts = await accountTable(outputs.AccountTableName, dynamodb).list();
  const [apiSet] = knownApiSets(accounts, vendor, named) as [ApiSet];
  const activity = activityReader(outputs.ActivityTableName, dynamodb);
  const table = scorecardTable(outputs.ScorecardTableName, dynamodb);
  const found = new Map<string, CardStatus>();
  for (const day of daysOf(from, to, settings[stage].union.timeZone)) {
    for await (const externalIds of activity.versionsOf(apiSet, day)) {
      const unread = [...new Set(externalIds)].filter((externalId) => !found.has(externalId));
      for (const status of await readStatuses(table, apiSet, unread)) {
        const acceptedAt = Date.parse(status.acceptedAt ?? "");
        if (acceptedAt >= from && acceptedAt < to) found.set(status.externalId, status);
      }
    }
  }
  const cards = [...found.values()].toSorted((one, other) =>
    (one.acceptedAt ?? "") < (other.acceptedAt ?? "") ? -1 : 1,
  );
  return { apiSet, cards };
}

/** How many cards are in each state. @example stateCounts(cards) // "2 delivered, 1 queued" */
export function stateCounts(cards: readonly CardStatus[]): string {
  const byState = Object.entries(Object.groupBy(cards, ({ state }) => state));
  return byState.map(([state, of]) => `${of?.length} ${state}`).join(", ");
}
