import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect } from "vitest";
import { scorecardTable } from "../../core/cards/delivery/scorecard-table.ts";
import type { StoredCard } from "../../core/cards/life/card.ts";

/** Stores a card as an earlier time has left it. */
export async function storeAs(dynamodb: DynamoDBClient, tableName: string | undefined, stored: StoredCard) {
  const { apiSet, externalId, ...set } = stored;
  const [result] = await scorecardTable(tableName ?? "", dynamodb).write([{ apiSet, externalId, set }]);
  expect(result).toBe("written");
}
