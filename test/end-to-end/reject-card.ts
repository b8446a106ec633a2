import type { LocalRun } from "@scorecard-pipeline/local-aws";
import type { ApiSet } from "../../core/accounts/account.ts";
import { scorecardTable } from "../../core/cards/delivery/scorecard-table.ts";
import { clientsOf } from "./local-clients.ts";

/**
 * Rejects a card that the exchange has refused already, as the delivery does once it has failed beside enough others.
 *
 * @returns whether that is recorded; the delivery may be changing the card
 */
export async function rejectCard(run: LocalRun, apiSet: string, externalId: string): Promise<boolean> {
  const table = scorecardTable(run.resource("ScorecardTable"), clientsOf(run).dynamodb);
  const [card] = await table.read([{ apiSet: apiSet as ApiSet, externalId }]);
  if (card?.state === "rejected") return true;
  if (card?.state !== "retrying") return false;
  const { version, since, state } = card;
  const set = { state: "rejected", since: Date.now(), nextAttemptAt: undefined } as const;
  const [result] = await table.write([
    { apiSet: card.apiSet, externalId, expects: { version, states: [state], since }, set },
  ]);
  return result === "written";
}
