import { CreateTableCommand, type DynamoDBClient, waitUntilTableExists } from "@aws-sdk/client-dynamodb";
import { expect } from "vitest";
import { scorecardTable } from "../../core/cards/delivery/scorecard-table.ts";
import type { StoredCard } from "../../core/cards/life/card.ts";

/** Stores a card as an earlier time has left it. */
export async function storeAs(dynamodb: DynamoDBClient, tableName: string | undefined, stored: StoredCard) {
  const { apiSet, externalId, ...set } = stored;
  const [result] = await scorecardTable(tableName ?? "", dynamodb).write([{ apiSet, externalId, set }]);
  expect(result).toBe("written");
}

/** A table of cards as it is restored from a backup. */
export async function createCardTable(client: DynamoDBClient, TableName: string): Promise<void> {
  await client.send(
    new CreateTableCommand({
      TableName,
      KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
      AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
      BillingMode: "PAY_PER_REQUEST",
    }),
  );
  await waitUntilTableExists({ client, minDelay: 1, maxDelay: 1, maxWaitTime: 240 }, { TableName });
}
