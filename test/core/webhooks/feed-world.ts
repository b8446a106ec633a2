import { ConditionalCheckFailedException, type DynamoDBClient } from "@aws-sdk/client-dynamodb";
import type { ApiSet } from "../../../core/accounts/account.ts";
import type { Item } from "../../../core/aws/batch.ts";
import type { FeedEntry } from "../../../core/webhooks/event.ts";

interface Put {
  readonly Item: Item;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeValues?: Item;
}
interface Query {
  readonly ExpressionAttributeValues: Item;
  readonly ScanIndexForward: boolean;
  readonly Limit: number;
  readonly ExclusiveStartKey?: Item;
}

/** A table of feeds in memory. It knows the requests of feeds, and only these. */
export function feedsInMemory() {
  const items = new Map<string, Item>();
  const idOf = ({ apiSet, at }: Item) => `${apiSet?.S} ${at?.S}`;
  /** Carries a request out. */
  function carryOut(command: { readonly constructor: { readonly name: string }; readonly input: unknown }) {
    if (command.constructor.name === "PutItemCommand") {
      const {
        Item: item,
        ConditionExpression: condition,
        ExpressionAttributeValues: values,
      } = command.input as Put;
      const there = items.get(idOf(item));
      const position = values?.[":position"]?.S;
      const isRead = values?.[":read"] !== undefined && there?.madeAt?.N === values[":read"].N;
      const isLater = there !== undefined && position !== undefined && (there.position?.S ?? "") < position;
      const isAsExpected = isRead || isLater || (there === undefined && values?.[":read"] === undefined);
      if (condition !== undefined && !isAsExpected)
        throw new ConditionalCheckFailedException({ message: "it is there", $metadata: {} });
      items.set(idOf(item), item);
      return {};
    }
    const query = command.input as Query;
    const { ExpressionAttributeValues: values, ScanIndexForward: isForward, Limit } = query;
    const [from, to] = [values[":from"]?.S, values[":to"]?.S];
    const only = from === to ? items.get(`${values[":partition"]?.S} ${from}`) : undefined;
    if (from === to) return { Items: only === undefined ? [] : [only] };
    const all = [...items.values()]
      .filter(
        ({ apiSet, at }) =>
          apiSet?.S === values[":partition"]?.S &&
          String(at?.S) >= (values[":from"]?.S ?? "") &&
          String(at?.S) <= (values[":to"]?.S ?? ""),
      )
      .sort((one, other) => (String(one.at?.S) < String(other.at?.S) ? -1 : 1));
    const ordered = isForward ? all : all.reverse();
    const start = query.ExclusiveStartKey?.at?.S;
    const found = ordered.slice(ordered.findIndex(({ at }) => at?.S === start) + 1);
    const Items = found.slice(0, Limit);
    return { Items, ...(found.length > Limit && { LastEvaluatedKey: Items.at(-1) }) };
  }
  return {
    items,
    carryOut,
    /** A client whose requests pass through here. */
    client: (pass: (carryOutNow: () => unknown, name: string, input: unknown) => unknown = (now) => now()) =>
      ({
        send: async (command: Parameters<typeof carryOut>[0]) =>
          pass(() => carryOut(command), command.constructor.name, command.input),
      }) as unknown as DynamoDBClient,
  };
}

export const vendor = "green" as ApiSet;

/** An entry about a card. */
export const entryOf = (
  sequenceNumber: number,
  card: string,
  version: number,
  apiSet = vendor,
): FeedEntry => ({
  sequenceNumber: String(sequenceNumber),
  event: {
    id: `evt_${card}_${version}`,
    type: "scorecard.delivered",
    timestamp: new Date(sequenceNumber).toISOString(),
    data: { apiSet, cards: [{ externalId: card, state: "delivered", version }] },
  },
});
