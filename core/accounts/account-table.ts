import { isDeepStrictEqual } from "node:util";
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import { conditionalWrites, type Item, number } from "../aws/batch.ts";
import { scanPages } from "../aws/read-items.ts";
import { type Account, accountClubSchema, apiSetSchema, resources, writeAccountClub } from "./account.ts";

/** Vendor accounts by user name. */
export type AccountTable = ReturnType<typeof accountTable>;

const accountSchema = z.object({
  username: z.string(),
  apiSet: apiSetSchema,
  resources: z._default(z.array(z.enum(resources)), []),
  club: z.optional(accountClubSchema),
  passwordHash: z.string(),
  formerPassword: z.optional(z.object({ hash: z.string(), until: z.number() })),
  disabled: z._default(z.boolean(), false),
  sessionsFrom: z.optional(z.number()),
  endedSessions: z.optional(z.array(z.number())),
  usage: z.optional(z.object({ plan: z.string(), key: z.string(), keyId: z.string() })),
});

const readAttribute = ({ S, N, SS, NS, BOOL }: AttributeValue) =>
  S ?? SS ?? BOOL ?? NS?.map(Number) ?? Number(N);

function toAccount(item: Item): Account {
  const read = Object.fromEntries(Object.entries(item).map(([name, value]) => [name, readAttribute(value)]));
  const { clubResources, formerHash, formerUntil, usagePlan, usageKey, usageKeyId, ...fields } = read;
  return accountSchema.parse({
    ...fields,
    ...(fields.club !== undefined && { resources: clubResources }),
    ...(formerHash !== undefined && { formerPassword: { hash: formerHash, until: formerUntil } }),
    ...(usageKey !== undefined && { usage: { plan: usagePlan, key: usageKey, keyId: usageKeyId } }),
  });
}

function writeAttribute(value: string | number | boolean | readonly (string | number)[]): AttributeValue {
  if (typeof value === "string") return { S: value };
  if (typeof value === "number") return number(value);
  if (typeof value === "boolean") return { BOOL: value };
  const texts = value.map(String);
  return typeof value[0] === "number" ? { NS: texts } : { SS: texts };
}

/** A bound account's resources have a name of their own: a version that does not know clubs, after a rollback, grants it nothing. */
function toItem({ resources: granted, club, formerPassword, usage, ...fields }: Account): Item {
  const values = {
    ...fields,
    [club === undefined ? "resources" : "clubResources"]: granted.length > 0 ? granted : undefined,
    club: club && writeAccountClub(club),
    ...(formerPassword && { formerHash: formerPassword.hash, formerUntil: formerPassword.until }),
    ...(usage && { usagePlan: usage.plan, usageKey: usage.key, usageKeyId: usage.keyId }),
  };
  const present = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, writeAttribute(value)]],
  );
  return Object.fromEntries(present);
}

const keyOf = (username: string) => ({ username: { S: username } });

/*
 * A function's bundle has no call that its role does not allow, so each use of the table has a factory of its own. Reads are strongly
 * consistent: API Gateway caches an account's policy for minutes, so an account that was just disabled must not be read as it was.
 */

/** Lists the vendor accounts of a DynamoDB table, in no order. */
export const accountLister = (TableName: string, client: DynamoDBClient) => ({
  async list(): Promise<Account[]> {
    const accounts: Account[] = [];
    for await (const items of scanPages(client, { TableName, ConsistentRead: true }))
      accounts.push(...items.map(toAccount));
    return accounts;
  },
});

/** Finds vendor accounts in a DynamoDB table. */
export const accountFinder = (TableName: string, client: DynamoDBClient) => ({
  async find(username: string): Promise<Account | undefined> {
    const request = new GetItemCommand({ TableName, Key: keyOf(username), ConsistentRead: true });
    const { Item } = await client.send(request);
    return Item === undefined ? undefined : toAccount(Item);
  },
});

/** Ends sessions of vendor accounts. */
export type SessionEnder = ReturnType<typeof sessionEnder>;

/** Ends sessions of the vendor accounts in a DynamoDB table. */
export const sessionEnder = (TableName: string, client: DynamoDBClient) => ({
  /** Ends the sessions of an account that began before a time, in milliseconds since 1970. */
  async endSessions(username: string, at: number): Promise<void> {
    const request = new UpdateItemCommand({
      TableName,
      Key: keyOf(username),
      UpdateExpression: "SET sessionsFrom = :at",
      ConditionExpression:
        "attribute_exists(username) AND (attribute_not_exists(sessionsFrom) OR sessionsFrom < :at)",
      ExpressionAttributeValues: { ":at": number(at) },
    });
    await client.send(request).catch((error: unknown) => {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    });
  },
  /** Ends one session of an account, by its beginning, and forgets ended ones that have expired. */
  async endSession(username: string, startedAt: number, expired: readonly number[]): Promise<void> {
    const change = (action: "ADD" | "DELETE", sessions: readonly number[]) =>
      client.send(
        new UpdateItemCommand({
          TableName,
          Key: keyOf(username),
          UpdateExpression: `${action} endedSessions :sessions`,
          ConditionExpression: "attribute_exists(username)",
          ExpressionAttributeValues: { ":sessions": writeAttribute(sessions) },
        }),
      );
    await change("ADD", [startedAt]);
    if (expired.length > 0) await change("DELETE", expired);
  },
});

/** The vendor accounts in a DynamoDB table with partition key `username`. */
export function accountTable(TableName: string, client: DynamoDBClient) {
  return {
    ...accountFinder(TableName, client),
    ...accountLister(TableName, client),
    async put(account: Account): Promise<void> {
      await client.send(new PutItemCommand({ TableName, Item: toItem(account) }));
    },
    /** Writes only what differs, so that of two changes at the same time neither takes the other back. */
    async change(before: Account, after: Account): Promise<void> {
      const [known, { username, ...item }] = [toItem(before), toItem(after)];
      const set = Object.entries(item).filter(([name, value]) => !isDeepStrictEqual(value, known[name]));
      const remove = Object.keys(known).filter((name) => name !== "username" && item[name] === undefined);
      const write = { key: keyOf(before.username), expects: {}, set: Object.fromEntries(set), remove };
      const [result] = await conditionalWrites(client, TableName, [write]);
      if (result !== "written") throw new Error(`The account ${before.username} has been removed.`);
    },
    async remove(username: string): Promise<void> {
      await client.send(new DeleteItemCommand({ TableName, Key: keyOf(username) }));
    },
  };
}
