import { randomBytes } from "node:crypto";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect, test } from "vitest";
import type { Account } from "../../../core/accounts/account.ts";
import { accountTable } from "../../../core/accounts/account-table.ts";
import { scorecardTable } from "../../../core/cards/delivery/scorecard-table.ts";
import { guidKey } from "../../../core/formats/identifiers.ts";
import type { CourseVersion } from "../../../core/golf/course.ts";
import { courseTable } from "../../../core/register/course-table.ts";
import { mirrorStateTable } from "../../../core/register/mirror-state-table.ts";
import { green, key, storedCard } from "../memory/stored-card.ts";
import { recordOf, version } from "../register/union-in-memory.ts";
import { provideEngine, tables } from "./engine.ts";

const engine = await provideEngine(tables.scorecards, tables.courses, tables.accounts);
showNothingNew(engine.client);

interface Reading {
  readonly ConsistentRead?: boolean;
  readonly RequestItems?: Readonly<Record<string, { readonly ConsistentRead?: boolean }>>;
}

/** What a read finds that is content with a copy which has not heard of the last writes yet. */
const stale: Readonly<Record<string, object>> = {
  GetItemCommand: {},
  BatchGetItemCommand: { Responses: {} },
  ScanCommand: { Items: [] },
};

/** Has every read find nothing, unless it insists on all that was written before it. */
function showNothingNew(client: DynamoDBClient): void {
  client.middlewareStack.add(
    (next, { commandName = "" }) =>
      async (request) => {
        const { ConsistentRead, RequestItems = {} } = request.input as Reading;
        const insists =
          ConsistentRead === true || Object.values(RequestItems).some((one) => one.ConsistentRead === true);
        const found = stale[commandName];
        return found === undefined || insists
          ? next(request)
          : { response: undefined, output: { ...found, $metadata: {} } as never };
      },
    { step: "initialize" },
  );
}

const since = Date.UTC(2026, 5, 1, 12);

test("a card that was just taken, and what was just recorded of it, is found by whoever asks next", async () => {
  const cards = scorecardTable("scorecards", engine.client);
  const { apiSet, externalId, ...set } = storedCard("417");
  await cards.write([{ apiSet, externalId, set }]);
  expect(await cards.read([key("417")])).toMatchObject([{ state: "queued" }]);
  const expects = { version: 1, states: ["queued"] } as const;
  await cards.write([{ ...key("417"), expects, set: { state: "rejected" } }]);
  expect(await cards.read([key("417")])).toMatchObject([{ state: "rejected" }]);
});

test("a vendor's breaker is open for all runs as soon as one has opened it", async () => {
  const cards = scorecardTable("scorecards", engine.client);
  const failure = { phase: "during", message: "late" } as const;
  const open = { since, failure, nextProbeAt: since };
  await cards.writeBreaker(green, (await cards.readWithBreaker(green, [])).breaker, open);
  expect((await cards.readWithBreaker(green, [])).breaker).toMatchObject({ open });
});

test("a course version that takes several items is whole as soon as the first of them is found", async () => {
  const courses = courseTable("courses", engine.client);
  // Text that cannot be packed: three times what an item holds.
  const huge = version(1, { Story: randomBytes(900_000).toString("base64") } as Partial<CourseVersion>);
  await courses.put(guidKey(huge.ClubID), [recordOf(huge)], since);
  expect((await courses.course(huge.TemplateID))[0]?.version).toEqual(huge);
});

test("how far the mirror has just got is where its next pass begins", async () => {
  const state = mirrorStateTable("courses", engine.client);
  await state.write({ list: { pausedUntil: 1_780_000_000_000 }, clubs: new Map() });
  expect(await state.read()).toMatchObject({ list: { pausedUntil: 1_780_000_000_000 } });
});

test("an account is known as it was just changed, and no other can be added in its name", async () => {
  const accounts = accountTable("accounts", engine.client);
  const account: Account = {
    username: "green",
    apiSet: green,
    resources: [],
    passwordHash: "hash",
    disabled: true,
  };
  await accounts.put(account);
  expect(await accounts.find("green")).toMatchObject({ disabled: true });
  expect(await accounts.list()).toMatchObject([{ username: "green", apiSet: "green" }]);
});
