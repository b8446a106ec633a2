import { type DynamoDBClient, paginateScan } from "@aws-sdk/client-dynamodb";
import type { CardState } from "../../../core/cards/card.ts";
import { isFinal } from "../../../core/cards/card.ts";
import { storedCard } from "../../../core/cards/scorecard-table.ts";
import type { DemoAccount } from "../../../local/pipeline/demo-accounts.ts";

/** What became of all cards of a vendor, and their names. */
export interface CountedCards {
  readonly accepted: number;
  readonly delivered: number;
  readonly rejected: number;
  readonly undelivered: number;
  readonly withdrawn: number;
  readonly waiting: number;
  /** Sorted. */
  readonly externalIds: readonly string[];
}

/**
 * Counts a vendor's cards in the table itself, with the earlier outcomes of each.
 *
 * @returns `outcomes` has version, state and name of each card that has an outcome now
 */
export async function cardsInTable(
  client: DynamoDBClient,
  TableName: string,
  apiSet: string,
): Promise<{ readonly counted: CountedCards; readonly outcomes: readonly string[] }> {
  const externalIds: string[] = [];
  const outcomes: string[] = [];
  const ends: CardState[] = [];
  let waiting = 0;
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    for (const card of Items.map(storedCard)) {
      if (card?.apiSet !== apiSet) continue;
      externalIds.push(card.externalId);
      ends.push(...card.earlier.map(({ state }) => state));
      if (isFinal(card.state)) {
        ends.push(card.state);
        outcomes.push(`${card.version} ${card.state} ${card.externalId}`);
      } else waiting++;
    }
  }
  const count = (state: CardState) => ends.filter((end) => end === state).length;
  const counted = {
    accepted: externalIds.length,
    delivered: count("delivered"),
    rejected: count("rejected"),
    undelivered: count("undelivered"),
    withdrawn: count("withdrawn"),
    waiting,
    externalIds: externalIds.sort(),
  };
  return { counted, outcomes };
}

/** What the API says of a vendor's cards. @param days as its query has them */
export async function cardsInActivity(
  api: string,
  { username, password, apiSet }: DemoAccount,
  days: string,
): Promise<CountedCards> {
  const headers = { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
  const ask = async (path: string) => {
    const answer = await fetch(`${api}/${apiSet}/${path}`, { headers });
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}.`);
    return answer.json();
  };
  const { totals, waiting } = (await ask(`Activity?${days}`)) as {
    readonly totals: Omit<CountedCards, "waiting" | "externalIds">;
    readonly waiting: { readonly cards: number };
  };
  const externalIds: string[] = [];
  for (let query: string | undefined = `?${days}`; query !== undefined; ) {
    const page = (await ask(`ScorecardExchange${query}`)) as {
      readonly cards: readonly { readonly externalId: string }[];
      readonly next?: string;
    };
    externalIds.push(...page.cards.map(({ externalId }) => externalId));
    query = page.next;
  }
  const { accepted, delivered, rejected, undelivered, withdrawn } = totals;
  return {
    ...{ accepted, delivered, rejected, undelivered, withdrawn },
    waiting: waiting.cards,
    externalIds: externalIds.sort(),
  };
}
