import { type DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import type { ApiSet } from "../accounts/account.ts";
import { type Item, number } from "../aws/batch.ts";
import { itemReader } from "../aws/items-between.ts";
import { packJson, unpackJson } from "../aws/packed-json.ts";

/*
 * The attempts are in the table of activity, under partition keys of their own:
 *   {apiSet}#attempts#{endpoint}   2026-07-04T11:00:00.000Z#{random}   the posts of one run, packed
 * An item is written once, by the run, and goes by itself after a week. Two runs may post the same event within a millisecond.
 */

/** A post of an event to an endpoint. */
export interface WebhookAttempt {
  readonly at: number;
  readonly milliseconds: number;
  readonly eventId: string;
  /** The body that was posted; absent if the run's bodies together were too large to keep. */
  readonly body?: string;
  /** HTTP status, if the endpoint answered. */
  readonly status?: number;
  /** Why it did not take the event; absent if it did. */
  readonly message?: string;
}

/** An attempt as it is found again. */
export interface KeptAttempt extends WebhookAttempt {
  /** Opaque. */
  readonly id: string;
}

/** The most attempts of an endpoint that are listed. */
const attemptsLimit = 200;
/** How long attempts are kept: twice the three days over which an event is repeated. */
const keptSeconds = 7 * 86_400;
/** An item may have 400 KB. */
const maxBytes = 300_000;

const partitionOf = (apiSet: ApiSet, endpointId: string) => `${apiSet}#attempts#${endpointId}`;

/** Stores the attempts of one run at an endpoint. */
export type KeepAttempts = (
  apiSet: ApiSet,
  endpointId: string,
  attempts: readonly WebhookAttempt[],
) => Promise<void>;

/** The attempts as they are stored: without bodies if they are too large together. */
function packed(attempts: readonly WebhookAttempt[]): Uint8Array {
  const all = packJson(attempts);
  return all.byteLength <= maxBytes ? all : packJson(attempts.map(({ body: _, ...attempt }) => attempt));
}

/** Stores attempts in the table of activity, in one write a run and endpoint. @param createId a name of its own for each write */
export function attemptLog(table: string, client: DynamoDBClient, createId: () => string): KeepAttempts {
  return async (apiSet, endpointId, attempts) => {
    const [first] = attempts;
    if (first === undefined) return;
    const item: Item = {
      apiSet: { S: partitionOf(apiSet, endpointId) },
      at: { S: `${new Date(first.at).toISOString()}#${createId()}` },
      attempts: { B: packed(attempts) },
      expiresAt: number(Math.ceil(first.at / 1000) + keptSeconds),
    };
    await client.send(new PutItemCommand({ TableName: table, Item: item }));
  };
}

const idOf = (item: string, place: number) => `att_${Buffer.from(`${item}#${place}`).toString("base64url")}`;

/** The item and the place in it that an attempt's ID names; undefined if it is none. */
function placeOf(id: string): { readonly item: string; readonly place: number } | undefined {
  const text = Buffer.from(/^att_([\w-]{1,200})$/.exec(id)?.[1] ?? "", "base64url").toString("utf8");
  const [, item, place] = /^(.+)#(\d{1,3})$/.exec(text) ?? [];
  return item === undefined ? undefined : { item, place: Number(place) };
}

function keptIn({ at, attempts }: Item): KeptAttempt[] {
  const all = unpackJson(attempts?.B ?? new Uint8Array()) as readonly WebhookAttempt[];
  return all.map((attempt, place) => ({ id: idOf(at?.S ?? "", place), ...attempt }));
}

/** Reads the attempts at an endpoint. */
export interface AttemptReader {
  /** The last ones, the newest first. */
  latest(apiSet: ApiSet, endpointId: string): Promise<KeptAttempt[]>;
  /** @returns undefined if there is none, or no longer */
  find(apiSet: ApiSet, endpointId: string, id: string): Promise<KeptAttempt | undefined>;
}

/** Reads attempts from the table of activity. */
export function attemptReader(table: string, client: DynamoDBClient): AttemptReader {
  const read = itemReader(table, client);
  return {
    async latest(apiSet, endpointId) {
      const found: KeptAttempt[] = [];
      // Keys begin with a time.
      const items = read(partitionOf(apiSet, endpointId), "0", "~", { isForward: false });
      for await (const item of items) {
        found.push(...keptIn(item).reverse());
        if (found.length >= attemptsLimit) break;
      }
      return found.toSorted((one, other) => other.at - one.at).slice(0, attemptsLimit);
    },
    async find(apiSet, endpointId, id) {
      const named = placeOf(id);
      if (named === undefined) return undefined;
      const { value } = await read(partitionOf(apiSet, endpointId), named.item, named.item).next();
      return value && keptIn(value)[named.place];
    },
  };
}
