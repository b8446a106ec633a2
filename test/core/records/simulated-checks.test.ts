import { setImmediate } from "node:timers/promises";
import { mulberry32 } from "@scorecard-pipeline/stand-in/seeded-random";
import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import type { CardChange, CardKey, StoredCard } from "../../../core/cards/life/card.ts";
import { contentOf } from "../../../core/cards/life/card-content.ts";
import type { RecordAnswer } from "../../../core/records/ask-for-records.ts";
import { checkRecords } from "../../../core/records/check-records.ts";
import { nextLookAt } from "../../../core/records/check-timing.ts";
import type { ClaimedRow } from "../../../core/records/claimed-rows.ts";
import { countedDays, type DayOfChecks } from "../../../core/records/found-shares.ts";
import type { DueCards } from "../../../core/records/record-check-table.ts";
import type { RecordedRound } from "../../../core/union/record-register.ts";
import { storedCard } from "../memory/stored-card.ts";

const hour = 3_600_000;
const day = 24 * hour;
const start = Date.parse("2026-06-01T06:00:00Z");
const timing = { first: 3 * hour, last: 3 * day };
const parallelRequests = 2;

/** What happens with a vendor's records. */
type Trouble = "none" | "anotherRegister" | "refused" | "shapeChanges";
const vendors: readonly (readonly [ApiSet, Trouble])[] = [
  ["green" as ApiSet, "none"],
  ["blue" as ApiSet, "shapeChanges"],
  ["red" as ApiSet, "anotherRegister"],
  ["amber" as ApiSet, "refused"],
];
const shapeChangesAt = start + 3 * day;

interface SimulatedCard {
  readonly apiSet: ApiSet;
  readonly externalId: string;
  readonly player: string;
  readonly startTime: string;
  readonly deliveredAt: number;
  readonly strokes: number;
  /** Replaced by a correction with one stroke more at this time. */
  readonly correctedAt: number | undefined;
  readonly isLost: boolean;
  readonly differential: number;
  /** When the union has calculated the differential again. */
  readonly calculatedAgainAt: number | undefined;
  /** Cards of the same player, start and totals. */
  readonly group: string;
}

/** 1,000 cards of four vendors over five days; one in ten is sent twice, one in twelve is lost. */
function inventCards(random: () => number): SimulatedCard[] {
  const cards: SimulatedCard[] = [];
  while (cards.length < 1000) {
    const number = cards.length;
    const apiSet = vendors[Math.floor(random() * vendors.length)]?.[0] ?? ("green" as ApiSet);
    const deliveredAt = start + Math.floor(random() * 5 * 24) * hour;
    const strokes = 80 + Math.floor(random() * 30);
    const one: SimulatedCard = {
      apiSet,
      externalId: `card-${number}`,
      player: `${number % 200}-1`,
      startTime: `202605${String(1 + (number % 28)).padStart(2, "0")}T${String(8 + (Math.floor(number / 28) % 12)).padStart(2, "0")}${String(Math.floor(number / 336)).padStart(2, "0")}00`,
      deliveredAt,
      strokes,
      correctedAt: random() < 0.08 ? deliveredAt + Math.floor(random() * 40) * hour : undefined,
      isLost: random() < 1 / 12,
      differential: strokes * 1000,
      calculatedAgainAt: random() < 0.3 ? deliveredAt + Math.floor(6 + random() * 48) * hour : undefined,
      group: `group-${number}`,
    };
    cards.push(one);
    if (random() < 0.1 && one.correctedAt === undefined) {
      cards.push({
        ...one,
        externalId: `${one.externalId}-again`,
        deliveredAt: deliveredAt + Math.floor(random() * 30) * hour,
        isLost: random() < 0.5,
      });
    }
  }
  return cards;
}

const pad = (text: string) => text.replaceAll(/\D/g, "");

async function simulate(seed: number) {
  const random = mulberry32(seed);
  const cards = inventCards(random);
  const stored = new Map<string, StoredCard>();
  let lists: DueCards[] = [];
  const claimed = new Map<string, readonly ClaimedRow[]>();
  const days = new Map<string, DayOfChecks>();
  let now = start;
  let atOnce = 0;
  let maxAtOnce = 0;
  let requests = 0;
  const keyOf = ({ apiSet, externalId }: CardKey) => `${apiSet} ${externalId}`;
  const strokesAt = (card: SimulatedCard, at: number) =>
    card.strokes + (card.correctedAt !== undefined && at >= card.correctedAt ? 1 : 0);

  function deliver(card: SimulatedCard, version: number): void {
    const { apiSet, externalId, player: UnionID, startTime: StartTime } = card;
    const TotalStrokes = strokesAt(card, now);
    const content = contentOf({
      ID: "an ID",
      Round: { StartTime },
      Result: { TotalStrokes, TotalPoints: 30 },
      Player: { UnionID },
    });
    stored.set(keyOf(card), {
      ...storedCard(externalId, { state: "delivered", content }),
      apiSet,
      version,
      since: now,
    });
    const due = { apiSet, since: now, externalIds: [externalId], batch: `${keyOf(card)} ${version}` };
    lists.push({ ...due, dueAt: nextLookAt(now, now, timing) });
  }

  /** The rows that the union has of a player, four hours after a delivery and later. */
  function rowsOf(player: string): RecordedRound[] {
    return cards
      .filter((card) => card.player === player && !card.isLost && card.deliveredAt + 4 * hour <= now)
      .map((card) => ({
        startTime: card.startTime,
        totalStrokes: strokesAt(card, now - 4 * hour),
        totalPoints: 30,
        tee: "718000 119",
        differential: differentialOf(card, now),
      }));
  }
  const differentialOf = (card: SimulatedCard, at: number) =>
    card.differential - (card.calculatedAgainAt !== undefined && at >= card.calculatedAgainAt ? 10_000 : 0);

  async function ask(apiSet: ApiSet, player: string | undefined): Promise<RecordAnswer> {
    requests++;
    maxAtOnce = Math.max(maxAtOnce, ++atOnce);
    await setImmediate();
    atOnce--;
    const trouble = new Map(vendors).get(apiSet);
    if (trouble === "refused") return "left";
    if (trouble === "anotherRegister") return [];
    if (random() < 0.02) return "unanswered";
    const rows = rowsOf(player ?? "");
    const isChanged = trouble === "shapeChanges" && now >= shapeChangesAt;
    // The same times in UTC.
    return isChanged
      ? rows.map((row) => ({ ...row, startTime: `${Number(pad(row.startTime)) - 20_000}` }))
      : rows;
  }

  const events = cards.flatMap((card) => [
    { at: card.deliveredAt, card, version: 1 },
    ...(card.correctedAt === undefined ? [] : [{ at: card.correctedAt, card, version: 2 }]),
  ]);
  const ends = start + 12 * day;
  for (; now <= ends; now += hour) {
    for (const { card, version } of events.filter(({ at }) => at === now)) deliver(card, version);
    await checkRecords(
      {
        lists: {
          due: async (at, after) => {
            const due = lists
              .filter(({ dueAt }) => dueAt <= at)
              .sort((one, other) => one.dueAt - other.dueAt || (one.batch < other.batch ? -1 : 1));
            const from =
              after === undefined
                ? 0
                : due.findIndex(
                    (one) =>
                      one.dueAt > after.dueAt || (one.dueAt === after.dueAt && one.batch > after.batch),
                  );
            return from < 0 ? [] : due.slice(from, from + 25);
          },
          replace: async (done, left) => {
            lists = [...lists.filter((list) => !done.includes(list)), ...left];
          },
          recordGivenAt: async () => now,
          recordGiven: async () => undefined,
        },
        table: {
          read: async (keys) => keys.flatMap((key) => stored.get(keyOf(key)) ?? []),
          write: async (changes: readonly CardChange[]) => {
            for (const change of changes) {
              const before = stored.get(keyOf(change));
              if (before !== undefined) stored.set(keyOf(change), { ...before, ...change.set } as StoredCard);
            }
            return changes.map(() => "written" as const);
          },
        },
        claims: {
          read: async (rounds) =>
            new Map(rounds.flatMap((one) => (claimed.has(one) ? [[one, claimed.get(one) ?? []]] : []))),
          write: async (changed) => {
            for (const [round, own] of changed) claimed.set(round, own);
          },
        },
        shares: {
          read: async (apiSet, at) =>
            Array.from({ length: countedDays }, (_, back) =>
              days.get(`${apiSet} ${Math.floor(at / day) - back}`),
            ).filter((one) => one !== undefined),
          add: async (apiSet, { found, absent, lastFoundAt }, at) => {
            const key = `${apiSet} ${Math.floor(at / day)}`;
            const before = days.get(key) ?? { found: 0, absent: 0, lastFoundAt: 0 };
            days.set(key, {
              found: before.found + found,
              absent: before.absent + absent,
              lastFoundAt: Math.max(before.lastFoundAt, lastFoundAt),
            });
          },
        },
        ask: (apiSet, { unionId }) => ask(apiSet, unionId),
        parallelRequests,
        timing,
        now: () => new Date(now),
      },
      () => false,
    );
  }
  const told = cards.map((card) => ({ card, record: stored.get(keyOf(card))?.record }));
  return { told, maxAtOnce, requests, differentialOf: (card: SimulatedCard) => differentialOf(card, ends) };
}

test.each([1, 2, 3])(
  "of 1,000 cards none is said to be recorded or missing that is not, whatever happens to the records (seed %i)",
  async (seed) => {
    const { told, maxAtOnce, differentialOf } = await simulate(seed);
    expect(told.length).toBeGreaterThanOrEqual(1000);
    const troubleOf = new Map(vendors);
    const wrong: string[] = [];
    for (const [group, own] of Map.groupBy(told, ({ card }) => card.group)) {
      const rows = own.filter(({ card }) => !card.isLost).length;
      const recorded = own.filter(({ record }) => record?.isRecorded).length;
      const missing = own.filter(({ record }) => record?.isRecorded === false).length;
      // Equal cards cannot be told apart: as many are recorded as there are rows.
      if (recorded > rows) wrong.push(`${group}: ${recorded} recorded, ${rows} rows`);
      if (missing > own.length - rows) wrong.push(`${group}: ${missing} missing, ${own.length - rows} lost`);
    }
    expect(wrong).toEqual([]);
    expect(maxAtOnce).toBe(parallelRequests);

    const of = (trouble: Trouble) => told.filter(({ card }) => troubleOf.get(card.apiSet) === trouble);
    expect(of("anotherRegister").filter(({ record }) => record !== undefined)).toEqual([]);
    expect(of("refused").filter(({ record }) => record !== undefined)).toEqual([]);
    // Without trouble each card has a result, and a calculation of the next days is told.
    const well = of("none");
    expect(well.filter(({ record }) => record === undefined)).toEqual([]);
    expect(well.filter(({ record }) => record?.isRecorded === false).length).toBeGreaterThan(10);
    const alone = well.filter(
      ({ card, record }) =>
        record?.isRecorded && told.filter((one) => one.card.group === card.group).length === 1,
    );
    expect(alone.some(({ card }) => card.calculatedAgainAt !== undefined)).toBe(true);
    expect(alone.filter(({ card, record }) => record?.differential !== differentialOf(card))).toEqual([]);
    // Until its shape changed, the record told of cards.
    expect(of("shapeChanges").filter(({ record }) => record?.isRecorded).length).toBeGreaterThan(50);
  },
  120_000,
);
