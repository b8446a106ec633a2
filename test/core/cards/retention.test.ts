import type { BatchExecuteStatementCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import { scorecardTable } from "../../../core/cards/delivery/scorecard-table.ts";
import { key, start, storedCard } from "../memory/stored-card.ts";

const expiresAt = /'?"?expiresAt"?'?/;

/** A client that takes every statement, and the times until which what they write is kept. */
function taking() {
  const kept: (string | undefined)[] = [];
  const send = async ({ input }: BatchExecuteStatementCommand) => {
    for (const { Statement = "", Parameters = [] } of input.Statements ?? []) {
      const names = Statement.match(/'[^']+': \?|SET "[^"]+" = \?/g) ?? [];
      const place = names.findIndex((name) => expiresAt.test(name));
      const seconds = place === -1 ? undefined : Number(Parameters[place]?.N);
      kept.push(seconds === undefined ? undefined : new Date(seconds * 1000).toISOString());
    }
    return { Responses: (input.Statements ?? []).map(() => ({})) };
  };
  return { client: { send } as unknown as DynamoDBClient, kept };
}

const { apiSet, externalId, ...set } = storedCard("417");
const expects = { version: 1, states: ["queued"] } as const;

test("a card is kept for as long as players' cards are after it was accepted, and no longer", async () => {
  const { client, kept } = taking();
  await scorecardTable("cards", client, 30).write([{ apiSet, externalId, set }]);
  expect(kept).toEqual(["2026-07-01T12:00:00.000Z"]);
});

test("a correction is kept as long from when it was accepted", async () => {
  const { client, kept } = taking();
  const correction = { version: 2, acceptedAt: start + 86_400_000 };
  await scorecardTable("cards", client, 30).write([{ ...key("417"), expects, set: correction }]);
  expect(kept).toEqual(["2026-07-02T12:00:00.000Z"]);
});

test("an outcome leaves it as it is how long the card is kept", async () => {
  const { client, kept } = taking();
  await scorecardTable("cards", client, 30).write([
    { ...key("417"), expects, set: { state: "delivered", since: start } },
  ]);
  expect(kept).toEqual([undefined]);
});

test("cards are kept for good if no time is set", async () => {
  const { client, kept } = taking();
  await scorecardTable("cards", client).write([{ apiSet, externalId, set }]);
  expect(kept).toEqual([undefined]);
});
