import { randomUUID } from "node:crypto";
import { ScanCommand } from "@aws-sdk/client-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type GuidKey, guidKey } from "../../../core/formats/identifiers.ts";
import { mirrorStateTable } from "../../../core/register/mirror-state-table.ts";
import type { ClubSync } from "../../../core/register/sync-state.ts";
import { startEngine, tables } from "../aws/engine.ts";

let engine: Awaited<ReturnType<typeof startEngine>>;

beforeAll(async () => {
  engine = await startEngine();
});
afterAll(() => engine.stop());

/** Clubs whose times have little in common, so that they cannot be packed well. */
const clubs = (count: number) =>
  new Map(
    Array.from({ length: count }, (_, n): [GuidKey, ClubSync] => {
      const at = 1_780_000_000_000 + ((n * 2_654_435_761) % 900_000_000);
      const pass = {
        knownAt: at - 7,
        syncedAt: at,
        fullySyncedAt: at - 80_000_001,
        attemptedAt: at + 13,
        failures: n % 5,
      };
      return [guidKey(randomUUID()), pass];
    }),
  );

async function stateTable() {
  const TableName = `courses-${randomUUID()}`;
  await engine.createTable({ ...tables.courses, TableName });
  const items = async () =>
    (await engine.client.send(new ScanCommand({ TableName }))).Items?.map((item) => item.content?.B?.length);
  return { store: mirrorStateTable(TableName, engine.client), items };
}

test.each([0, 213, 4000, 15_667])("the state of %i clubs is read as it was written", async (count) => {
  const { store } = await stateTable();
  const state = { list: { doubted: "short" }, clubs: clubs(count) };
  await store.write(state);
  expect(await store.read()).toEqual(state);
});

test("the state of 15,667 clubs is four items, each far below 400 KB", async () => {
  const { store, items } = await stateTable();
  await store.write({ list: {}, clubs: clubs(15_667) });
  const sizes = (await items()) ?? [];
  expect(sizes).toHaveLength(4);
  expect(Math.max(...sizes.map(Number))).toBeLessThan(300_000);
});

test("clubs that are no longer in the state are not read again", async () => {
  const { store } = await stateTable();
  await store.write({ list: {}, clubs: clubs(9000) });
  const fewer = { list: { doubted: "short" }, clubs: clubs(4000) };
  await store.write(fewer);
  expect(await store.read()).toEqual(fewer);
});
