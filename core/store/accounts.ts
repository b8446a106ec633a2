import { type DynamoDBClient, GetItemCommand, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { type Account, accountSchema } from "../account/account.ts";

/** Reads and writes vendor accounts, one item each, by user name. */
export interface AccountTable {
  find(username: string): Promise<Account | undefined>;
  put(account: Account): Promise<void>;
}

/** The vendor accounts in a DynamoDB table with partition key `username`. */
export function accountTable(table: string, client: DynamoDBClient): AccountTable {
  return {
    async find(username) {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: table, Key: { username: { S: username } } }),
      );
      if (Item === undefined) return undefined;
      return accountSchema.parse({
        username: Item.username?.S,
        apiSet: Item.apiSet?.S,
        resources: Item.resources?.SS ?? [],
        passwordHash: Item.passwordHash?.S,
        disabled: Item.disabled?.BOOL ?? false,
      });
    },
    async put(account) {
      await client.send(
        new PutItemCommand({
          TableName: table,
          Item: {
            username: { S: account.username },
            apiSet: { S: account.apiSet },
            ...(account.resources.length > 0 && { resources: { SS: [...account.resources] } }),
            passwordHash: { S: account.passwordHash },
            disabled: { BOOL: account.disabled },
          },
        }),
      );
    },
  };
}
