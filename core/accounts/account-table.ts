import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import * as z from "zod/mini";
import type { Item } from "../aws/batch.ts";
import { scanPages } from "../aws/read-items.ts";
import { type Account, apiSetSchema, resources } from "./account.ts";

/**
 * Vendor accounts by user name. Reads are strongly consistent: API Gateway caches an account's policy for minutes, so an account
 * that was just disabled must not be read as it was.
 */
export interface AccountTable {
  find(username: string): Promise<Account | undefined>;
  put(account: Account): Promise<void>;
  remove(username: string): Promise<void>;
  /** All accounts, in no order. */
  list(): Promise<Account[]>;
}

const accountSchema = z.object({
  username: z.string(),
  apiSet: apiSetSchema,
  resources: z.array(z.enum(resources)),
  passwordHash: z.string(),
  formerPassword: z.optional(z.object({ hash: z.string(), until: z.number() })),
  disabled: z.boolean(),
  sessionsFrom: z.optional(z.number()),
  usage: z.optional(z.object({ plan: z.string(), key: z.string(), keyId: z.string() })),
});

function accountIn(item: Item): Account {
  const { usagePlan, usageKey, usageKeyId, formerHash, formerUntil } = item;
  return accountSchema.parse({
    username: item.username?.S,
    apiSet: item.apiSet?.S,
    resources: item.resources?.SS ?? [],
    passwordHash: item.passwordHash?.S,
    ...(formerHash !== undefined && {
      formerPassword: { hash: formerHash.S, until: Number(formerUntil?.N) },
    }),
    disabled: item.disabled?.BOOL ?? false,
    ...(item.sessionsFrom?.N !== undefined && { sessionsFrom: Number(item.sessionsFrom.N) }),
    ...(usageKey !== undefined && { usage: { plan: usagePlan?.S, key: usageKey.S, keyId: usageKeyId?.S } }),
  });
}

/** Lists the vendor accounts of a DynamoDB table. */
export function accountLister(table: string, client: DynamoDBClient): Pick<AccountTable, "list"> {
  return {
    async list() {
      const accounts: Account[] = [];
      for await (const items of scanPages(client, { TableName: table, ConsistentRead: true })) {
        accounts.push(...items.map(accountIn));
      }
      return accounts;
    },
  };
}

/** Finds vendor accounts in a DynamoDB table; functions that vendors ask may do nothing else with them. */
export function accountFinder(table: string, client: DynamoDBClient): Pick<AccountTable, "find"> {
  return {
    async find(username) {
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

/** The vendor accounts in a DynamoDB table with partition key `username`. */
export function accountTable(table: string, client: DynamoDBClient): AccountTable {
  return {
    ...accountFinder(table, client),
    ...accountLister(table, client),
    async put(account) {
      const { usage, sessionsFrom, formerPassword } = account;
      await client.send(
        new PutItemCommand({
          TableName: table,
          Item: {
            username: { S: account.username },
            apiSet: { S: account.apiSet },
            ...(account.resources.length > 0 && { resources: { SS: [...account.resources] } }),
            passwordHash: { S: account.passwordHash },
            ...(formerPassword !== undefined && {
              formerHash: { S: formerPassword.hash },
              formerUntil: { N: String(formerPassword.until) },
            }),
            disabled: { BOOL: account.disabled },
            ...(sessionsFrom !== undefined && { sessionsFrom: { N: String(sessionsFrom) } }),
            ...(usage !== undefined && {
              usagePlan: { S: usage.plan },
              usageKey: { S: usage.key },
              usageKeyId: { S: usage.keyId },
            }),
          },
        }),
      );
    },
    async remove(username) {
      await client.send(new DeleteItemCommand({ TableName: table, Key: { username: { S: username } } }));
    },
  };
}
