import {
  type AttributeValue,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
} from "@aws-sdk/client-dynamodb";
import type { ApiSet } from "../accounts/account.ts";
import { conditionalWrites, type Item, number } from "../aws/batch.ts";
import { queryAll } from "../aws/read-items.ts";
import { restoredBy } from "../aws/restored-item.ts";
import type { WebhookEndpoint } from "./endpoint.ts";

/** Vendors' webhook endpoints. Reads are strongly consistent: a secret that was just made signs the next event. */
export interface WebhookTable {
  list(apiSet: ApiSet): Promise<WebhookEndpoint[]>;
  find(apiSet: ApiSet, id: string): Promise<WebhookEndpoint | undefined>;
  /** Stores a new endpoint, whose ID is random. */
  insert(endpoint: WebhookEndpoint): Promise<void>;
  /** Changes an endpoint that is still as it was read. @returns it as stored; undefined if it is not */
  update(read: WebhookEndpoint, change: EndpointChange): Promise<WebhookEndpoint | undefined>;
  remove(apiSet: ApiSet, id: string): Promise<void>;
}

/** Fields that are undefined are removed; those that are left out stay. */
export type EndpointChange = Partial<Omit<WebhookEndpoint, "apiSet" | "id" | "version" | "createdAt">>;

/** A vendor and several runs may change an endpoint at the same time; each change is one short write. */
const maxTries = 5;

/**
 * Changes an endpoint as it is now: if another request or run changes it first, it is read and changed again.
 *
 * @param change made of the endpoint as it is read last; undefined if that is not to be changed
 * @returns it as stored; undefined if it was not changed, was removed, or others have changed it each time
 */
export async function updateLatest(
  endpoints: Pick<WebhookTable, "find" | "update">,
  read: WebhookEndpoint,
  change: (latest: WebhookEndpoint) => EndpointChange | undefined,
): Promise<WebhookEndpoint | undefined> {
  let latest: WebhookEndpoint | undefined = read;
  for (let tries = 0; tries < maxTries && latest !== undefined; tries++) {
    const next = change(latest);
    if (next === undefined) return undefined;
    const stored = await endpoints.update(latest, next);
    if (stored !== undefined) return stored;
    latest = await endpoints.find(read.apiSet, read.id);
  }
  return undefined;
}

const keyOf = (apiSet: ApiSet, id: string): Item => ({ apiSet: { S: apiSet }, id: { S: id } });
const json = (value: unknown): AttributeValue => ({ S: JSON.stringify(value) });

/** All other fields are stored as JSON, each in an attribute of its own. `writeId` is that of the last conditional write. */
function endpointIn({ apiSet, id, version, url, createdAt, writeId: _, ...item }: Item): WebhookEndpoint {
  const { [restoredBy]: _restore, ...fields } = item;
  const stored = Object.entries(fields).map(([name, { S = "null" }]) => [name, JSON.parse(S)]);
  return {
    apiSet: apiSet?.S as ApiSet,
    id: id?.S ?? "",
    version: Number(version?.N),
    url: url?.S ?? "",
    types: [],
    secrets: [],
    createdAt: Number(createdAt?.N),
    ...Object.fromEntries(stored),
  };
}

function attributesOf({ url, ...change }: EndpointChange): { set: Item; remove: string[] } {
  const set: Item = { ...(url !== undefined && { url: { S: url } }) };
  const remove: string[] = [];
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) remove.push(name);
    else set[name] = json(value);
  }
  return { set, remove };
}

/** Lists the endpoints of a vendor in a DynamoDB table. */
export function webhookLister(table: string, client: DynamoDBClient): Pick<WebhookTable, "list"> {
  return {
    async list(apiSet) {
      const items = await queryAll(client, {
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: "apiSet = :apiSet",
        ExpressionAttributeValues: { ":apiSet": { S: apiSet } },
      });
      return items.map(endpointIn).toSorted((one, other) => one.createdAt - other.createdAt);
    },
  };
}

/** Finds endpoints in a DynamoDB table, and changes them. */
export function webhookUpdater(table: string, client: DynamoDBClient): Pick<WebhookTable, "find" | "update"> {
  return {
    async find(apiSet, id) {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: table, Key: keyOf(apiSet, id), ConsistentRead: true }),
      );
      return Item && endpointIn(Item);
    },
    async update(read, change) {
      const { apiSet, id, version } = read;
      const { set, remove } = attributesOf(change);
      const [result] = await conditionalWrites(client, table, [
        {
          key: keyOf(apiSet, id),
          expects: { version: [number(version)] },
          set: { ...set, version: number(version + 1) },
          remove,
        },
      ]);
      return result === "written" ? { ...read, ...change, version: version + 1 } : undefined;
    },
  };
}

/** The webhook endpoints in a DynamoDB table with partition key `apiSet` and sort key `id`. */
export function webhookTable(table: string, client: DynamoDBClient): WebhookTable {
  return {
    ...webhookLister(table, client),
    ...webhookUpdater(table, client),
    async insert({ apiSet, id, version, createdAt, ...fields }) {
      const { set } = attributesOf(fields);
      const fixed = { version: number(version), createdAt: number(createdAt) };
      await conditionalWrites(client, table, [{ key: keyOf(apiSet, id), set: { ...set, ...fixed } }]);
    },
    async remove(apiSet, id) {
      await client.send(new DeleteItemCommand({ TableName: table, Key: keyOf(apiSet, id) }));
    },
  };
}
