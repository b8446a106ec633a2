import { randomUUID } from "node:crypto";
import { BatchWriteItemCommand, ScanCommand } from "@aws-sdk/client-dynamodb";
import { expect, test, vi } from "vitest";
import { type GuidKey, guidKey } from "../../../core/formats/identifiers.ts";
import { mirrorStateTable } from "../../../core/register/mirror-state-table.ts";
import type { ClubSync } from "../../../core/register/sync-state.ts";
import { provideEngine, tables } from "../aws/engine.ts";

const engine = await provideEngine();

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
  /** The write units that work takes: one for each begun KB of an item, keys and names included. */
  async function unitsOf(work: () => Promise<void>): Promise<number> {
    const sent = vi.spyOn(engine.client, "send");
    await work();
    const commands = sent.mock.calls
      .map(([command]) => command)
      .filter((one) => one instanceof BatchWriteItemCommand);
    sent.mockRestore();
    const writes = commands.flatMap(({ input }) => Object.values(input.RequestItems ?? {}).flat());
    const bytes = writes.map(({ PutRequest }) => {
      const { id, content } = PutRequest?.Item ?? {};
      return 9 + (id?.S?.length ?? 0) + (content?.B?.length ?? 0);
    });
    return bytes.reduce((sum, one) => sum + Math.ceil(one / 1024), 0);
  }
  const [store, other] = [
    mirrorStateTable(TableName, engine.client),
    mirrorStateTable(TableName, engine.client),
  ];
  return { store, other, items, unitsOf };
}

test.each([0, 213, 4000, 15_667])("the state of %i clubs is read as it was written", async (count) => {
  const { store } = await stateTable();
  const state = { list: { pausedUntil: 1_780_000_000_000 }, clubs: clubs(count) };
  await store.write(state);
  expect(await store.read()).toEqual(state);
});

test("the state of 15,667 clubs is five items, each below 400 KB even if no two clubs have the same", async () => {
  const { store, items } = await stateTable();
  await store.write({ list: {}, clubs: clubs(15_667) });
  const sizes = (await items()) ?? [];
  expect(sizes).toHaveLength(5);
  expect(Math.max(...sizes.map(Number))).toBeLessThan(350_000);
});

test("what a sync of 15,707 clubs saves is a few write units, unless clubs come or go", async () => {
  const { store, unitsOf } = await stateTable();
  const ids = [...clubs(15_707).keys()];
  const synced = (count: number, at: number, before: number): Map<GuidKey, ClubSync> =>
    new Map(
      ids.map((id, place) => {
        // In no order of their IDs.
        const syncedAt = (place * 7919) % ids.length < count ? at : before;
        return [id, { knownAt: 1, syncedAt, fullySyncedAt: 5, attemptedAt: syncedAt, failures: 0 }];
      }),
    );
  const save = (count: number, at: number, before: number) =>
    unitsOf(() => store.write({ list: {}, clubs: synced(count, at, before) }));
  await save(ids.length, 900_000, 0);
  // Every fifteen seconds of seven minutes, and at the end.
  const units = [];
  for (let saved = 1; saved <= 28; saved++)
    units.push(await save((ids.length * saved) / 28, 1_800_000, 900_000));
  expect(Math.max(...units)).toBeLessThanOrEqual(6);
  expect(units.reduce((sum, one) => sum + one)).toBeLessThanOrEqual(120);
  expect((await store.read()).clubs).toEqual(synced(ids.length, 1_800_000, 0));
});

test("what a killed run wrote late gives no club the state of another one", async () => {
  const { store, other } = await stateTable();
  const [first, second, third] = [...clubs(3)] as [
    [GuidKey, ClubSync],
    [GuidKey, ClubSync],
    [GuidKey, ClubSync],
  ];
  await store.write({ list: {}, clubs: new Map([first, second]) });
  await other.read();
  await store.read();
  await store.write({ list: {}, clubs: new Map([second, third]) });
  await other.write({ list: {}, clubs: new Map([first, second]) });
  for (const [id, club] of (await store.read()).clubs)
    expect(club).toEqual(new Map([first, second, third]).get(id));
});

test("clubs that are no longer in the state are not read again", async () => {
  const { store } = await stateTable();
  await store.write({ list: {}, clubs: clubs(9000) });
  const fewer = { list: { pausedUntil: 1_780_000_000_000 }, clubs: clubs(4000) };
  await store.write(fewer);
  expect(await store.read()).toEqual(fewer);
});
