import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { Item } from "../aws/batch.ts";
import { itemsBetween } from "../aws/items-between.ts";
import { queryPage } from "../aws/read-items.ts";

/** A place in a list that is packed into items: the sort key of an item, and how many of its ExternalIDs come before. */
export interface PackedPlace {
  readonly at: string;
  readonly cards: number;
}

/** A card of such a list, and the sort key of its item. */
interface PackedCard {
  readonly at: string;
  readonly externalId: string;
}

/** Items of one partition, by their sort keys. */
export interface PackedRange {
  readonly table: string;
  readonly partition: string;
  readonly from: string;
  readonly to: string;
}

/** The ExternalIDs that are packed into an item. */
export const packedIds = ({ externalIds }: Item): readonly string[] => JSON.parse(externalIds?.S ?? "[]");

/**
 * Reads one page of a list that is packed into items, some hundreds of ExternalIDs an item, or one only.
 *
 * @param itemsAtOnce items in one request
 * @param after where the page before ended; one of another range counts as its nearest end
 * @returns at most `limit` cards, and where the next page begins, if there is one
 */
export async function readPackedPage(
  client: DynamoDBClient,
  { table, partition, from, to }: PackedRange,
  { limit, itemsAtOnce }: { readonly limit: number; readonly itemsAtOnce: number },
  after?: PackedPlace,
): Promise<{ readonly listed: readonly PackedCard[]; readonly next?: PackedPlace }> {
  const listed: PackedCard[] = [];
  const isInside = after !== undefined && after.at >= from;
  let begin = isInside ? after.at : from;
  let skip = isInside ? after.cards : 0;
  while (begin <= to) {
    const read = await queryPage(client, {
      ...itemsBetween(table, partition, begin, to),
      Limit: itemsAtOnce,
    });
    for (const item of read.items) {
      const at = item.at?.S ?? "";
      const ids = packedIds(item);
      const page = ids.slice(skip, skip + limit - listed.length);
      listed.push(...page.map((externalId) => ({ at, externalId })));
      if (skip + page.length < ids.length) return { listed, next: { at, cards: skip + page.length } };
      skip = 0;
      begin = `${at}!`;
    }
    if (read.next === undefined) break;
  }
  return { listed };
}
