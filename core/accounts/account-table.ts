import { isDeepStrictEqual } from "node:util";
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import { conditionalWrites, type Item } from "../aws/batch.ts";
import { scanPages } from "../aws/read-items.ts";
import { type Account, accountClubSchema, apiSetSchema, resources, writeAccountClub } from "./account.ts";

/**
 * Vendor accounts by user name. Reads are strongly consistent: API Gateway caches an account's policy for minutes, so an account
 * that was just disabled must not be read as it was.
 */
export type AccountTable = ReturnType<typeof accountTable>;

const accountSchema = z.object({
  username: z.string(),
  apiSet: apiSetSchema,
  resources: z.array(z.enum(resources)),
  club: z.optional(accountClubSchema),
  passwordHash: z.string(),
  formerPassword: z.optional(z.object({ hash: z.string(), until: z.number() })),
  disabled: z.boolean(),
  sessionsFrom: z.optional(z.number()),
  endedSessions: z.optional(z.array(z.number())),
  usage: z.optional(z.object({ plan: z.string(), key: z.string(), keyId: z.string() })),
});

function accountIn(item: Item): Account {
  const { usagePlan, usageKey, usageKeyId, formerHash, formerUntil } = item;
  return accountSchema.parse({
    username: item.username?.S,
    apiSet: item.apiSet?.S,
    resources: (item.club === undefined ? item.resources : item.clubResources)?.SS ?? [],
    club: item.club?.S,
    passwordHash: item.passwordHash?.S,
    ...(formerHash !== undefined && {
      formerPassword: { hash: formerHash.S, until: Number(formerUntil?.N) },
    }),
    disabled: item.disabled?.BOOL ?? false,
    ...(item.sessionsFrom?.N !== undefined && { sessionsFrom: Number(item.sessionsFrom.N) }),
    ...(item.endedSessions?.NS && { endedSessions: item.endedSessions.NS.map(Number) }),
    ...(usageKey !== undefined && { usage: { plan: usagePlan?.S, key: usageKey.S, keyId: usageKeyId?.S } }),
  });
}

/** Lists the vendor accounts of a DynamoDB table, in no order. */
export function accountLister(table: string, client: DynamoDBClient) {
  return {
    async list(): Promise<Account[]> {
      const accounts: Account[] = [];
      for await (const items of scanPages(client, { TableName: table, ConsistentRead: true })) {
        accounts.push(...items.map(accountIn));
      }
      return accounts;
    },
  };
}

/** Finds vendor accounts in a DynamoDB table; functions that vendors ask may do nothing else with them. */
export function accountFinder(table: string, client: DynamoDBClient) {
  return {
    async find(username: string): Promise<Account | undefined> {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: table, Key: { username: { S: username } }, ConsistentRead: true }),
      );
      return Item === undefined ? undefined : accountIn(Item);
    },
  };
}

/**
 * Ends the sessions of an account that began before a time, in a DynamoDB table.
 *
 * @returns a function of the user name and the time, milliseconds since 1970
 */
export const sessionEnder =
  (table: string, client: DynamoDBClient) =>
  async (username: string, at: number): Promise<void> => {
    const request = new UpdateItemCommand({
      TableName: table,
      Key: { username: { S: username } },
      UpdateExpression: "SET sessionsFrom = :at",
      ConditionExpression:
        "attribute_exists(username) AND (attribute_not_exists(sessionsFrom) OR sessionsFrom < :at)",
      ExpressionAttributeValues: { ":at": { N: String(at) } },
    });
    await client.send(request).catch((error: unknown) => {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    });
  };

/**
 * Ends one session of an account, in a DynamoDB table.
 *
 * @returns a function of the user name, the session's beginning, and those of ended sessions that have expired, which are forgotten
 */
export const oneSessionEnder =
  (table: string, client: DynamoDBClient) =>
  async (username: string, startedAt: number, expired: readonly number[]): Promise<void> => {
    const change = (action: "ADD" | "DELETE", sessions: readonly number[]) =>
      client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: { username: { S: username } },
          UpdateExpression: `${action} endedSessions :sessions`,
          ConditionExpression: "attribute_exists(username)",
          ExpressionAttributeValues: { ":sessions": { NS: sessions.map(String) } },
        }),
      );
    await change("ADD", [startedAt]);
    if (expired.length > 0) await change("DELETE", expired);
  };

/** A bound account's resources have a name of their own: a version that does not know clubs, after a rollback, grants it nothing. */
const toItem = ({ username, apiSet, resources, club, disabled, ...account }: Account): Item => {
  const { passwordHash, usage, sessionsFrom, endedSessions, formerPassword } = account;
  return {
    username: { S: username },
    apiSet: { S: apiSet },
    ...(resources.length > 0 && {
      [club === undefined ? "resources" : "clubResources"]: { SS: [...resources] },
    }),
    ...(club !== undefined && { club: { S: writeAccountClub(club) } }),
    passwordHash: { S: passwordHash },
    ...(formerPassword !== undefined && {
      formerHash: { S: formerPassword.hash },
      formerUntil: { N: String(formerPassword.until) },
    }),
    disabled: { BOOL: disabled },
    ...(sessionsFrom !== undefined && { sessionsFrom: { N: String(sessionsFrom) } }),
    ...(endedSessions !== undefined && { endedSessions: { NS: endedSessions.map(String) } }),
    ...(usage !== undefined && {
      usagePlan: { S: usage.plan },
      usageKey: { S: usage.key },
      usageKeyId: { S: usage.keyId },
    }),
  };
};

/** The vendor accounts in a DynamoDB table with partition key `username`. */
export function accountTable(table: string, client: DynamoDBClient) {
  return {
    ...accountFinder(table, client),
    ...accountLister(table, client),
    async put(account: Account): Promise<void> {
      await client.send(new PutItemCommand({ TableName: table, Item: toItem(account) }));
    },
    /** Writes only what differs, so that of two changes at the same time neither takes the other back. */
    async change(before: Account, after: Account): Promise<void> {
      const [known, { username, ...item }] = [toItem(before), toItem(after)];
      const set = Object.entries(item).filter(([name, value]) => !isDeepStrictEqual(value, known[name]));
      const remove = Object.keys(known).filter((name) => name !== "username" && item[name] === undefined);
      const write = {
        key: { username: { S: before.username } },
        expects: {},
        set: Object.fromEntries(set),
        remove,
      };
      const [result] = await conditionalWrites(client, table, [write]);
      if (result !== "written") throw new Error(`The account ${before.username} has been removed.`);
    },
    async remove(username: string): Promise<void> {
      await client.send(new DeleteItemCommand({ TableName: table, Key: { username: { S: username } } }));
    },
  };
}
