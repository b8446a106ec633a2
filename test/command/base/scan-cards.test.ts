import { randomBytes, randomUUID } from "node:crypto";
import { ScanCommand } from "@aws-sdk/client-dynamodb";
import pMap from "p-map";
import { beforeAll, expect, test } from "vitest";
import { type ScanFilter, scanCards } from "../../../command/base/scan-cards.ts";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { contentOf } from "../../../core/cards/life/card-content.ts";
import { provideEngine, tables } from "../../core/aws/engine.ts";
import { storedCard } from "../../core/memory/stored-card.ts";
import { hour } from "../../durations.ts";
import { storeAs } from "../stored-cards.ts";

const TableName = "cards-to-scan";
const { client } = await provideEngine({ ...tables.scorecards, TableName });
const now = Date.UTC(2026, 6, 4, 18);
const cards = 1_000;

beforeAll(() =>
  pMap(
    Array.from({ length: cards }, (_, place) => place),
    (place) => {
      const apiSet = (place % 5 === 0 ? "greens-app" : "links-app") as ApiSet;
      // As large as a card of a vendor that sends all fields.
      const card = {
        ExternalID: String(place),
        ID: randomUUID(),
        Comment: randomBytes(700).toString("base64"),
      };
      const acceptedAt = now - place * hour;
      const stored = { apiSet, content: contentOf(card), acceptedAt, since: acceptedAt, state: "delivered" };
      return storeAs(client, TableName, storedCard(card.ExternalID, stored as never));
    },
    { concurrency: 20 },
  ),
);

/** What a scan finds, what it says, and how many bytes DynamoDB sends for it. */
async function scan(filter?: ScanFilter) {
  let bytes = 0;
  const found: string[] = [];
  const notes: string[] = [];
  const count = (answer: unknown) => {
    bytes += JSON.stringify(answer).length;
  };
  const counting = {
    send: async (command: never) => {
      const answer = (await client.send(command)) as { readonly Items?: unknown };
      count(answer.Items ?? "");
      return answer;
    },
  } as typeof client;
  if (filter === undefined) await counting.send(new ScanCommand({ TableName }));
  else
    await scanCards(
      { dynamodb: counting, table: TableName, note: (line) => notes.push(line) },
      filter,
      async (some) => {
        found.push(...some.map(({ externalId }) => externalId));
      },
    );
  return { bytes, found, notes };
}

const vendors = ["greens-app" as ApiSet];

test("a look at the cards of some hours, of delivered cards or of those that wait carries a tenth of the table at most", async () => {
  const whole = await scan();
  const ofHours = { condition: "#acceptedAt >= :from", values: { ":from": { N: String(now - 50 * hour) } } };
  const listed = await scan({ vendors, ...ofHours });
  expect(listed.found.map(Number).sort((one, other) => one - other)).toEqual([
    0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50,
  ]);
  expect(listed.bytes).toBeLessThan(whole.bytes / 10);
  const counted = await scan({ vendors, withoutContent: true });
  expect(counted.found).toHaveLength(cards / 5);
  expect(counted.bytes).toBeLessThan(whole.bytes / 10);
});

test("what a look costs is said before it begins", async () => {
  const { notes } = await scan({ vendors });
  expect(notes).toEqual([
    expect.stringMatching(
      /^Reads the whole table \([\d,]+ items?, \d+ MB\): \d+ read units, \d\.\d\d USD, about \d+ s\./,
    ),
  ]);
});
