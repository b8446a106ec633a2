import { BatchWriteItemCommand, type DynamoDBClient, QueryCommand } from "@aws-sdk/client-dynamodb";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { LoggedFault } from "../../../api/activity.ts";
import type { ApiSet } from "../../../core/accounts/account.ts";
import type { Finding } from "../../../core/golf/findings.ts";
import { refusalsOf } from "../../../core/views/activity-counts.ts";
import { activityReader, refusalCounter } from "../../../core/views/activity-table.ts";
import { faultChunks } from "../../../core/views/logged-faults.ts";
import {
  type LogPlace,
  type RefusalQuery,
  refusalLog,
  refusalReader,
} from "../../../core/views/refusal-table.ts";
import { hour } from "../../durations.ts";
import { proofSize } from "../../proofs/proof-seed.ts";
import { provideEngine, tables } from "../aws/engine.ts";

const { TableName } = tables.activity;
const start = Date.parse("2026-07-04T11:00:00.000Z");
const wholeHour = { from: start, before: start + hour };

const engine = await provideEngine(tables.activity);

const nobody = () => false;
const log = (apiSet: ApiSet, at: number, faults: readonly Finding[], requestId: string) =>
  refusalLog(TableName, engine.client)(apiSet, at, faults, requestId, nobody);

let vendors = 0;
const newVendor = () => `vendor-${++vendors}` as ApiSet;

/** A fault of a card as the API answers it, about 300 bytes of JSON. */
const fault = (externalId: string, index = 0, change: Partial<Finding> = {}): Finding => ({
  index,
  externalId,
  pointer: "/Result/Strokes",
  code: "strokes_count",
  detail:
    "The tee Yellow has 18 holes, but Strokes has 17 entries. Send one for each hole, and -1 for a hole that was not played.",
  expected: 18,
  received: 17,
  ...change,
});

async function allOf(
  apiSet: ApiSet,
  query: RefusalQuery = wholeHour,
  limit = 100,
  client: DynamoDBClient = engine.client,
) {
  const reader = refusalReader(TableName, client);
  const found: LoggedFault[] = [];
  for (let after: LogPlace | undefined; ; ) {
    const { faults, next } = await reader.page(apiSet, query, limit, after);
    expect(faults.length).toBeLessThanOrEqual(limit);
    found.push(...faults);
    if (next === undefined) return found;
    after = next;
  }
}

/** Counts the requests of a client, and the write units of each partition key as DynamoDB counts them: 1 KB each. */
function counting(client: DynamoDBClient) {
  const units = new Map<string, number>();
  const sizes = { largest: 0, requests: 0 };
  const send = (command: unknown) => {
    sizes.requests++;
    if (command instanceof BatchWriteItemCommand) {
      for (const request of Object.values(command.input.RequestItems ?? {}).flat()) {
        const item = request.PutRequest?.Item ?? {};
        const bytes = Object.entries(item).reduce((sum, [name, value]) => {
          const texts = [value.S, value.N, ...(value.SS ?? [])].filter((text) => text !== undefined);
          return (
            sum +
            Buffer.byteLength(name) +
            texts.reduce((all, text) => all + Buffer.byteLength(text), 0) +
            (value.B?.length ?? 0)
          );
        }, 0);
        const key = item.apiSet?.S ?? "";
        units.set(key, (units.get(key) ?? 0) + Math.ceil(bytes / 1024));
        sizes.largest = Math.max(sizes.largest, bytes);
      }
    }
    return client.send(command as QueryCommand);
  };
  return { client: { send } as unknown as DynamoDBClient, units, sizes };
}

describe("the log of refusals", () => {
  test("has every fault of every card, in the list and by ExternalID, however the submissions were cut", async () => {
    const cards = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 250 });
    await fc.assert(
      fc.asyncProperty(fc.array(cards, { minLength: 1, maxLength: 8 }), async (submissions) => {
        const apiSet = newVendor();
        const sent: string[] = [];
        for (const [number, faultsOfCards] of submissions.entries()) {
          const faults = faultsOfCards.flatMap((count, index) =>
            Array.from({ length: count }, (_, place) =>
              fault(`card ${number} ${index}`, index, { pointer: `/Result/Strokes/${place}` }),
            ),
          );
          await log(apiSet, start + number * 1_000, faults, `request-${number}`);
          sent.push(...faults.map(({ externalId, pointer }) => `${externalId} ${pointer}`));
        }
        const listed = await allOf(apiSet, wholeHour, 97);
        expect(listed.map(({ externalId, pointer }) => `${externalId} ${pointer}`).toSorted()).toEqual(
          sent.toSorted(),
        );
        expect(listed.map(({ at }) => at)).toEqual(
          listed
            .map(({ at }) => at)
            .toSorted()
            .toReversed(),
        );
        const last = submissions.length - 1;
        const externalId = `card ${last} ${(submissions[last]?.length ?? 1) - 1}`;
        const found = await allOf(apiSet, { ...wholeHour, externalId });
        expect(found).toEqual(listed.filter((one) => one.externalId === externalId));
        expect(found).toHaveLength(submissions[last]?.at(-1) ?? 0);
      }),
      { numRuns: 2 * proofSize },
    );
  });

  test("keeps time, request, index, pointer, code, detail and values of a fault", async () => {
    const apiSet = newVendor();
    await log(apiSet, start, [fault("417", 3)], "request-1");
    expect(await allOf(apiSet)).toEqual([
      { at: "2026-07-04T11:00:00.000Z", requestId: "request-1", ...fault("417", 3) },
    ]);
  });

  test("does not keep what was sent about a person, nor what is long", () => {
    const kept = (change: Partial<Finding>) =>
      faultChunks([fault("417", 0, change)], "request-1", nobody)[0]?.faults[0];
    expect(kept({ pointer: "/Player/UnionID", received: "32-1" })).not.toHaveProperty("received");
    expect(kept({ pointer: "/Marker", received: { FullName: "A B" } })).not.toHaveProperty("received");
    expect(kept({ pointer: "/HCP", received: "x".repeat(300) })).not.toHaveProperty("received");
    expect(kept({ pointer: "/HCP", received: "124" })).toHaveProperty("received", "124");
  });

  test("names of each card the faults of the submission that refused it last", async () => {
    const apiSet = newVendor();
    await log(apiSet, start, [fault("a"), fault("b", 1)], "request-1");
    await log(apiSet, start + 1, [fault("a", 0, { code: "required" }), fault("a")], "request-2");
    await log(apiSet, start + 2, [fault("c"), fault("d", 1)], "request-3");
    const newest = await refusalReader(TableName, engine.client).newest(apiSet, ["a", "b", "x"], start);
    expect([...newest.keys()].toSorted()).toEqual(["a", "b"]);
    expect(newest.get("a")?.map(({ requestId, code }) => [requestId, code])).toEqual([
      ["request-2", "required"],
      ["request-2", "strokes_count"],
    ]);
    expect(newest.get("b")?.map(({ requestId }) => requestId)).toEqual(["request-1"]);
    const later = await refusalReader(TableName, engine.client).newest(apiSet, ["b"], start + 1);
    expect(later.size).toBe(0);
  });

  test("has only the refusals of the time, the fault and the vendor that were asked for", async () => {
    const [apiSet, other] = [newVendor(), newVendor()];
    await log(apiSet, start - 1, [fault("before")], "request-1");
    await log(apiSet, start, [fault("first"), fault("required", 1, { code: "required" })], "request-2");
    await log(apiSet, start + hour - 1, [fault("last")], "request-3");
    await log(apiSet, start + hour, [fault("after")], "request-4");
    await log(other, start, [fault("other")], "request-5");
    const names = async (query: RefusalQuery) =>
      (await allOf(apiSet, query)).map(({ externalId }) => externalId);
    expect(await names(wholeHour)).toEqual(["last", "first", "required"]);
    expect(await names({ ...wholeHour, code: "required" })).toEqual(["required"]);
    expect(await names({ ...wholeHour, externalId: "other" })).toEqual([]);
  });

  test("a page that begins at a place outside the time that is asked for has only refusals of that time", async () => {
    const apiSet = newVendor();
    await log(apiSet, start, [fault("in time")], "request-1");
    await log(apiSet, start + hour, [fault("after")], "request-2");
    const { page } = refusalReader(TableName, engine.client);
    const at = (time: number) => ({ item: `${new Date(time).toISOString()}#request#000`, faults: 0 });
    const namesFrom = async (time: number) =>
      (await page(apiSet, wholeHour, 100, at(time))).faults.map(({ externalId }) => externalId);
    expect(await namesFrom(start - hour)).toEqual([]);
    expect(await namesFrom(start + 2 * hour)).toEqual(["in time"]);
  });

  test("a search that finds nothing in much ends with the place to go on from, and one of tournaments says that it is not complete", async () => {
    const apiSet = newVendor();
    await log(apiSet, start, [fault("found", 0, { code: "required" })], "request-first");
    for (let place = 0; place < 50; place++) {
      await log(apiSet, start + 1 + place, [fault("many times")], `request-${place}`);
    }
    const counted = counting(engine.client);
    const small = {
      send: (command: unknown) =>
        counted.client.send(
          // Pages as small as those of a log with very many refusals are in comparison.
          command instanceof QueryCommand
            ? new QueryCommand({ ...command.input, Limit: 1 })
            : (command as QueryCommand),
        ),
    } as unknown as DynamoDBClient;
    const [only, ...others] = await allOf(apiSet, { ...wholeHour, code: "required" }, 100, small);
    expect([only?.externalId, others]).toEqual(["found", []]);
    expect(counted.sizes.requests).toBeGreaterThan(50);
    const isComplete = async (client: DynamoDBClient) =>
      (await refusalReader(TableName, client).ofTournaments(apiSet, start)).isComplete;
    expect([await isComplete(small), await isComplete(engine.client)]).toEqual([false, true]);
  });
});

describe("100,000 refusals in an hour", () => {
  const writeUnitPrice = 0.63;
  const total = 100_000;
  const codes = ["strokes_count", "out_of_range", "required", "tee_unknown"] as const;

  /** Writes the log of one vendor, and the units of each partition key. A part of the submissions stands for all. */
  async function refused(perSubmission: number, submissions: number) {
    const apiSet = newVendor();
    const counted = counting(engine.client);
    const count = refusalCounter(TableName, engine.client, 400);
    const at = (number: number) => start + Math.floor((number * (hour - 1)) / submissions);
    for (let number = 0; number < submissions; number++) {
      const faults = Array.from({ length: perSubmission }, (_, index) =>
        fault(`${number}-${index}`, index, { code: codes[index % codes.length] ?? "required" }),
      );
      const requestId = `5cf3a1a8-6b0e-4d0c-9a53-${String(number).padStart(12, "0")}`;
      await refusalLog(TableName, counted.client)(apiSet, at(number), faults, requestId, nobody);
      await count(apiSet, start, refusalsOf(faults, new Date(at(number)), nobody), requestId);
    }
    const units = [...counted.units.values()].reduce((sum, of) => sum + of, 0);
    // The count of a submission is an update of an item below 1 KB.
    const dollarsAMillion = ((units + submissions) / (submissions * perSubmission)) * writeUnitPrice;
    return { apiSet, counted, dollarsAMillion };
  }

  test.each([
    [1, 400],
    [20, 40],
    [1_000, 5],
  ])(
    "by %i a submission cost at most 1.50 US dollars a million, and none has a hot key",
    async (size, submissions) => {
      const { apiSet, counted, dollarsAMillion } = await refused(size, submissions);
      expect(dollarsAMillion).toBeLessThanOrEqual(1.5);
      const busiest = Math.max(...counted.units.values());
      const share = (submissions * size) / total;
      // DynamoDB gives a key 1,000 units a second.
      expect(busiest / share / 3_600).toBeLessThan(50);
      expect(counted.sizes.largest).toBeLessThan(32 * 1024);
      expect([...counted.units.keys()].every((key) => key.startsWith(`${apiSet}#refused#`))).toBe(true);

      const counts = await activityReader(TableName, engine.client).refusals(apiSet, start, start + hour);
      expect(counts.reduce((sum, { cards }) => sum + cards, 0)).toBe(submissions * size);
      const listed = await allOf(apiSet, wholeHour, 1_000);
      expect(new Set(listed.map(({ externalId }) => externalId)).size).toBe(submissions * size);
      for (const number of [0, 1, submissions - 1]) {
        const externalId = `${number}-${size - 1}`;
        expect(await allOf(apiSet, { ...wholeHour, externalId })).toHaveLength(1);
      }
    },
  );

  test("a submission writes no more items than it has kilobytes of faults, and one to a part", () => {
    for (const cards of [1, 2, 10, 13, 14, 40, 100, 300, 1_000]) {
      const faults = Array.from({ length: cards }, (_, index) => fault(`card ${index}`, index));
      const chunks = faultChunks(faults, "request-1", nobody);
      expect(chunks.length).toBeLessThanOrEqual(Math.ceil(JSON.stringify(faults).length / 1024));
      expect(new Set(chunks.map(({ part }) => part)).size).toBe(chunks.length);
      expect(chunks.reduce((sum, chunk) => sum + chunk.faults.length, 0)).toBe(cards);
    }
  });

  test("a submission with more faults than are kept keeps some of each card", () => {
    const faults = Array.from({ length: 1_000 }, (_, index) =>
      Array.from({ length: 60 }, () => fault(`card ${index}`, index)),
    ).flat();
    const kept = faultChunks(faults, "request-1", nobody).flatMap((chunk) => chunk.faults);
    expect(kept).toHaveLength(5_000);
    expect(new Set(kept.map(({ index }) => index)).size).toBe(1_000);
  });
});
