import fc from "fast-check";
import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { erasedHash, type StoredCard } from "../../../core/cards/life/card.ts";
import { clubOfRound, contentOf, packedContent } from "../../../core/cards/life/card-content.ts";
import { type CardUpdate, happenings } from "../../../core/cards/life/happened.ts";
import { isOpen } from "../../../core/cards/life/states.ts";
import { guidKey } from "../../../core/formats/identifiers.ts";
import { warningsIn } from "../../../core/views/activity-counts.ts";
import {
  mergedTournaments,
  type RoundCounts,
  roundsIn,
  sumOfRounds,
  tournamentId,
  tournamentOf,
  tournamentWork,
} from "../../../core/views/tournament.ts";
import { tournamentCard } from "../../../core/views/tournament-report.ts";
import {
  type TournamentEntry,
  type TournamentPlace,
  tournamentReader,
  tournamentWriter,
} from "../../../core/views/tournament-table.ts";
import { proofSize } from "../../proofs/proof-seed.ts";
import { provideEngine, tables } from "../aws/engine.ts";
import { start, storedCard } from "../memory/stored-card.ts";

const { TableName } = tables.activity;
const days = ["2026-07-03", "2026-07-04"] as const;
/** The last three spell one name. */
const names = ["Midsummer Cup", "a/b#c ~?%2F 🏌️", "..", "Århus  Open", "A\u030arhus Open", " Århus Open\n"];

const engine = await provideEngine(tables.activity);
const writer = tournamentWriter(TableName, engine.client, 400);
const reader = tournamentReader(TableName, engine.client);

let vendors = 0;
const newVendor = () => `vendor-${++vendors}` as ApiSet;

interface Round {
  readonly name?: string | null | undefined;
  readonly day: string;
  readonly round?: number | null | undefined;
  readonly club?: string;
}

const cardOf = ({ name, day, round, club }: Round) => ({
  ID: "id",
  Round: {
    TournamentName: name,
    TournamentRoundNumber: round,
    StartTime: `${day.replaceAll("-", "")}T093000`,
    HolesPlayed: 3,
  },
  Course: {
    ClubID: club,
    Holes: [
      { Par: 4, SPH: 1 },
      { Par: 3, SPH: 0 },
      { Par: 5, SPH: 2 },
    ],
  },
  Result: { Strokes: [5, 3, 7], TotalPoints: 6 },
  Player: { UnionID: "1016-1", FullName: "Karen Player", HomeClubName: "Green Golf Club" },
  PHCP: 3,
});
const warning = { index: 0, pointer: "/HCP", code: "course_handicap_differs", detail: "" } as never;
const contentIn = (round: Round, isWarned = false) => contentOf(cardOf(round), isWarned ? [warning] : []);

/** What can happen to a card. */
type Event =
  | { readonly kind: "content"; readonly round: Round; readonly isWarned: boolean }
  | { readonly kind: "state"; readonly state: StoredCard["state"] }
  | { readonly kind: "record"; readonly isRecorded: boolean }
  | { readonly kind: "unknown" | "erase" };

const rounds = fc.record({
  name: fc.constantFrom(...names, undefined, null, "", "  "),
  day: fc.constantFrom(...days),
  round: fc.constantFrom(1, 2, undefined, 4_711),
  club: fc.constantFrom("A", "B"),
});
const events: fc.Arbitrary<Event> = fc.oneof(
  fc.record({ kind: fc.constant("content" as const), round: rounds, isWarned: fc.boolean() }),
  fc.record({
    kind: fc.constant("state" as const),
    state: fc.constantFrom(
      "queued",
      "retrying",
      "delivered",
      "rejected",
      "withdrawing",
      "withdrawn",
      "undelivered",
    ),
  }),
  fc.record({ kind: fc.constant("record" as const), isRecorded: fc.boolean() }),
  fc.record({ kind: fc.constantFrom("unknown" as const, "erase" as const) }),
);

const withNewContent = (card: StoredCard, content: StoredCard["content"]): StoredCard => ({
  ...card,
  version: card.version + 1,
  state: "queued",
  content,
  contentHash: `of version ${card.version + 1}`,
  playerUnknown: undefined,
  record: undefined,
});

function after(card: StoredCard, event: Event): StoredCard {
  switch (event.kind) {
    case "content":
      return withNewContent(card, contentIn(event.round, event.isWarned));
    case "state":
      // Only a card that is to be posted can fail, and be tried again.
      if (event.state === "retrying" && !isOpen(card.state)) return card;
      if (event.state === "withdrawing")
        return { ...card, version: card.version + 1, state: "withdrawing", since: card.since + 1_000 };
      if (event.state === "queued") return withNewContent(card, card.content);
      return { ...card, state: event.state, since: card.since + 1_000 };
    case "record":
      return { ...card, state: "delivered", record: { at: card.since, isRecorded: event.isRecorded } };
    case "unknown":
      return { ...card, state: "delivered", playerUnknown: true };
    case "erase":
      return { ...card, content: contentOf({ ID: "id" }), contentHash: erasedHash, record: undefined };
  }
}

/** The changes of cards in the order in which they happen, as the stream tells them: without those to `retrying`. */
function changesOf(apiSet: ApiSet, histories: readonly (readonly [Round, readonly Event[]])[]) {
  const cards: StoredCard[] = [];
  const updates: Omit<CardUpdate, "sequenceNumber">[] = [];
  for (const [place, [round, happened]] of histories.entries()) {
    let card = { ...storedCard(`card-${place}`, { content: contentIn(round) }), apiSet };
    updates.push({ card, before: undefined });
    for (const event of happened) {
      const before = card;
      card = after(card, event);
      if (card.state !== "retrying") updates.push({ card, before });
    }
    cards.push(card);
  }
  return { cards, updates };
}

/** How an invocation with a batch ends. */
type End = "taken" | "answer lost" | "died before counting" | "refused in the middle";
const ends: readonly End[] = ["taken", "answer lost", "died before counting", "refused in the middle"];
const batches = fc.array(fc.tuple(fc.integer({ min: 1, max: 7 }), fc.constantFrom(...ends)), {
  maxLength: 25,
});

/** Hands a shard over in batches as Lambda does: one that was not taken comes again, with others or fewer after it. */
async function follow(
  shardId: string,
  given: readonly Omit<CardUpdate, "sequenceNumber">[],
  plan: readonly (readonly [number, End])[],
) {
  const updates = given.map((update, place) => ({ ...update, sequenceNumber: String(999_990 + place) }));
  let position = 0;
  for (let attempt = 0; position < updates.length; attempt++) {
    const [size, end] = plan[attempt] ?? [200, "taken" as const];
    const batch = updates.slice(position, position + size);
    const followed = end === "refused in the middle" ? batch.slice(0, Math.floor(size / 2)) : batch;
    const { steps, lists } = tournamentWork(happenings(followed));
    await writer.list(lists, shardId);
    if (end === "died before counting") continue;
    await writer.count(steps, shardId);
    if (end !== "answer lost") position += followed.length;
  }
}

/** All cards of a tournament, read page by page, each once. */
async function cardsIn(apiSet: ApiSet, id: string, all: readonly StoredCard[], limit = 3) {
  const entries: TournamentEntry[] = [];
  for (let place: TournamentPlace | undefined; ; ) {
    const page = await reader.cards(apiSet, id, days, limit, place);
    expect(page.entries.length).toBeLessThanOrEqual(limit);
    entries.push(...page.entries);
    if (page.next === undefined) break;
    place = page.next;
  }
  const shown = entries.flatMap(({ externalId, day }) => {
    const stored = all.find((card) => card.externalId === externalId);
    const card = stored && tournamentCard(stored, id, day);
    return card === undefined ? [] : [[externalId, card] as const];
  });
  return new Map(shown);
}

/** The counts of some cards, by counting them. */
function countedOf(cards: readonly StoredCard[]) {
  const of = (isIn: (card: StoredCard) => unknown) => cards.filter(isIn).length;
  const open = ["queued", "retrying", "withdrawing"];
  return {
    cards: cards.length,
    waiting: of(({ state }) => open.includes(state)),
    delivered: of(({ state }) => state === "delivered"),
    rejected: of(({ state }) => state === "rejected"),
    undelivered: of(({ state }) => state === "undelivered"),
    withdrawn: of(({ state }) => state === "withdrawn"),
    recorded: of(({ record }) => record?.isRecorded),
    notRecorded: of(({ record }) => record?.isRecorded === false),
    playersUnknown: of(({ playerUnknown }) => playerUnknown),
    warned: of(
      ({ content, record, playerUnknown }) =>
        content.warnings().length > 0 || playerUnknown || record?.isRecorded === false,
    ),
  };
}

test("the counts of a tournament equal its cards, whatever happens to cards and batches", async () => {
  const histories = fc.array(fc.tuple(rounds, fc.array(events, { maxLength: 6 })), {
    minLength: 1,
    maxLength: 12,
  });
  await fc.assert(
    fc.asyncProperty(
      histories,
      fc.integer({ min: 0, max: 40 }),
      batches,
      batches,
      async (all, cut, ...plans) => {
        const apiSet = newVendor();
        const { cards, updates } = changesOf(apiSet, all);
        // A shard ends and another one goes on.
        await follow("shardId-1", updates.slice(0, cut), plans[0]);
        await follow("shardId-2", updates.slice(cut), plans[1]);
        const roundIn = ({ content }: StoredCard) => tournamentOf(JSON.parse(content.text()));
        const byKey = Map.groupBy(
          cards.filter((card) => roundIn(card) !== undefined),
          (card) => `${roundIn(card)?.day} ${roundIn(card)?.id}`,
        );
        const { tournaments } = await reader.page(apiSet, { from: days[0], to: days[1] }, 100);
        const found = tournaments.filter(({ counts }) => sumOfRounds(roundsIn(counts)).cards > 0);
        expect(found.map(({ day, id }) => `${day} ${id}`).toSorted()).toEqual([...byKey.keys()].toSorted());
        for (const { day, id, name, counts } of found) {
          const own = byKey.get(`${day} ${id}`) ?? [];
          expect(sumOfRounds(roundsIn(counts))).toEqual(countedOf(own));
          const byRound = Map.groupBy(own, (card) => roundIn(card)?.round ?? -1);
          const expected = [...byRound].map(([round, of]): RoundCounts => ({ round, ...countedOf(of) }));
          expect(roundsIn(counts)).toEqual(expected.toSorted((one, other) => one.round - other.round));
          expect(tournamentId(name ?? "")).toBe(id);
          const ofClub = tournamentReader(TableName, engine.client, guidKey("B"));
          const [there] = await ofClub.tournament(apiSet, id, [day]);
          const atClub = own.filter(({ content }) => clubOfRound(content) === "B");
          expect(sumOfRounds(roundsIn(there?.counts ?? {}))).toEqual(countedOf(atClub));
          const [alone] = await reader.tournament(apiSet, id, [day]);
          expect(alone?.counts).toEqual(counts);
          const codes = new Map(warningsIn(counts).map((one) => [one.code, one.cards]));
          expect(codes.get("player_unknown") ?? 0).toBe(countedOf(own).playersUnknown);
          expect(codes.get("not_recorded") ?? 0).toBe(countedOf(own).notRecorded);
        }
        for (const id of new Set(found.map((one) => one.id))) {
          const own = cards.filter((card) => roundIn(card)?.id === id).map(({ externalId }) => externalId);
          expect([...(await cardsIn(apiSet, id, cards)).keys()].toSorted()).toEqual(own.toSorted());
        }
      },
    ),
    { numRuns: 20 * proofSize },
  );
});

test("what a tournament lists is told page by page, the latest day first, and no vendor reads another's", async () => {
  const [one, other] = [newVendor(), newVendor()];
  const cups = ["Cup 1", "Cup 2", "Cup 3"];
  const histories = days.flatMap((day) => cups.map((name) => [{ name, day, round: 1 }, []] as const));
  await follow("shardId-1", changesOf(one, histories).updates, []);
  await follow("shardId-2", changesOf(one, histories.slice(0, 2)).updates, []);
  const days2 = { from: days[0], to: days[1] };
  const all = (await reader.page(one, days2, 100)).tournaments;
  expect(all).toHaveLength(6);
  expect(all.map(({ day }) => day)).toEqual([days[1], days[1], days[1], days[0], days[0], days[0]]);
  for (const limit of [1, 2, 5, 6]) {
    const paged: (typeof all)[number][] = [];
    for (let page = await reader.page(one, days2, limit); ; ) {
      expect(page.tournaments.length).toBeLessThanOrEqual(limit);
      paged.push(...page.tournaments);
      if (page.next === undefined) break;
      page = await reader.page(one, days2, limit, page.next);
    }
    expect(paged).toEqual(all);
  }
  expect((await reader.page(one, { from: days[1], to: days[1] }, 100)).tournaments).toHaveLength(3);
  expect((await reader.page(other, days2, 100)).tournaments).toEqual([]);
  expect(await reader.tournament(other, all[0]?.id ?? "", days)).toEqual([]);
  expect((await reader.cards(other, all[0]?.id ?? "", days, 10)).entries).toEqual([]);
});

test("a batch of cards with hundreds of rounds and names is counted, though no update takes all of its counts", async () => {
  const apiSet = newVendor();
  const codes = Array.from({ length: 60 }, (_, place) => ({ ...(warning as object), code: `code_${place}` }));
  const cards = Array.from({ length: 200 }, (_, place) => ({
    ...storedCard(`card-${place}`, {
      content: contentOf(cardOf({ name: "League", day: days[0], round: place }), codes as never),
    }),
    apiSet,
  }));
  const updates: string[] = [];
  const { middlewareStack } = engine.client;
  middlewareStack.add(
    (next) => (sent) => {
      const { UpdateExpression } = sent.input as { readonly UpdateExpression?: string };
      if (UpdateExpression !== undefined) updates.push(UpdateExpression);
      return next(sent);
    },
    { step: "initialize", name: "updates" },
  );
  await follow(
    "shardId-1",
    cards.map((card) => ({ card, before: undefined })),
    [],
  );
  middlewareStack.remove("updates");
  expect(updates.length).toBeGreaterThan(1);
  // DynamoDB's limits, which the engine of this machine has not.
  for (const update of updates) {
    expect(update.length).toBeLessThan(4_096);
    expect(update.split(/[,=]| ADD /).length).toBeLessThan(300);
  }
  const [found] = await reader.tournament(apiSet, tournamentId("League"), days);
  expect(sumOfRounds(roundsIn(found?.counts ?? {})).cards).toBe(200);
  expect(roundsIn(found?.counts ?? {})).toHaveLength(100);
  expect(warningsIn(found?.counts ?? {})).toHaveLength(60);
  expect(warningsIn(found?.counts ?? {})[0]).toEqual({ code: "code_0", cards: 200 });
});

test.each([
  [
    "a very long name is cut where it is kept, and told apart from others that begin like it",
    "x".repeat(9_000),
  ],
  ["half a character fits no key, and is replaced", "half \ud83c"],
  ["characters of two halves are not cut through", "🏌".repeat(300)],
])("%s", async (_, name) => {
  const apiSet = newVendor();
  await follow("shardId-1", changesOf(apiSet, [[{ name, day: days[0], round: 1 }, []]]).updates, []);
  const [found] = (await reader.page(apiSet, { from: days[0], to: days[0] }, 10)).tournaments;
  expect(found?.id).toBe(tournamentId(name));
  expect([...(found?.name ?? "")].length).toBeLessThanOrEqual(200);
  expect(found?.name?.isWellFormed()).toBe(true);
  expect(tournamentId(`${name}y`)).not.toBe(tournamentId(name));
});

test.each([
  {},
  undefined,
  "card",
  { Round: null },
  { Round: { TournamentName: 5, StartTime: "20260704T093000" } },
  { Round: { TournamentName: "Cup", StartTime: "20260230T093000" } },
  { Round: { TournamentName: "Cup", StartTime: 20_260_704 } },
  { Round: { TournamentName: " \u00a0 ", StartTime: "20260704T093000" } },
])("a card that names no tournament or no day is of none: %o", (card) => {
  expect(tournamentOf(card)).toBeUndefined();
});

test.each([
  ["20260704T093000", "2026-07-04"],
  ["20260705T000000", "2026-07-05"],
  ["20260706T093000", "2026-07-05"],
  ["4. juli", "2026-07-05"],
  [undefined, "2026-07-05"],
])("a refused card that started %s is shown on %s, because today is the 5th", (StartTime, day) => {
  expect(tournamentOf({ Round: { TournamentName: "Cup", StartTime } }, "2026-07-05")?.day).toBe(day);
});

test("a comment that looks like a tournament's name is none", () => {
  const content = contentOf({
    ID: "1",
    Comment: '"TournamentName":"Cup"',
    Round: { StartTime: "20260704T093000" },
  });
  const update = { card: storedCard("417", { content }), before: undefined, sequenceNumber: "1" };
  expect(tournamentWork(happenings([update]))).toEqual({ steps: [], lists: [] });
});

test("a card's content that cannot be read stops nothing", () => {
  const card = storedCard("417", { content: packedContent(new Uint8Array([1, 2, 3])) });
  expect(tournamentWork(happenings([{ card, before: undefined, sequenceNumber: "1" }]))).toEqual({
    steps: [],
    lists: [],
  });
});

test("a card of a tournament has its day, round and player's name, and nothing else of a person", () => {
  const id = tournamentId("Cup");
  const stored = storedCard("417", { content: contentIn({ name: "Cup", day: days[0], round: 2 }) });
  const shown = tournamentCard(stored, id, days[0]);
  expect(shown).toMatchObject({ day: days[0], round: 2, playerName: "Karen Player", warnings: [] });
  expect(JSON.stringify(shown)).not.toMatch(/1016-1|Green Golf Club/);
  expect(tournamentCard(stored, id, days[1])).toBeUndefined();
  expect(tournamentCard(stored, tournamentId("Other"), days[0])).toBeUndefined();
});

test("a card that is sent on again is as late as its content was", () => {
  const round = { name: "Cup", day: days[0], round: 2 };
  const sentOn = { version: 2, contentSince: 1, contentAt: start, acceptedAt: start + 3_600_000 };
  const stored = storedCard("417", { content: contentIn(round), ...sentOn });
  const shown = tournamentCard(stored, tournamentId("Cup"), days[0]);
  expect(shown?.acceptedAt).toBe(new Date(start).toISOString());
});

test("steps of one tournament's day from several batches become one, in order, with the last name that came", () => {
  const of = (day: string, names: { readonly name?: string }, ...numbers: string[]) => ({
    apiSet: "red" as ApiSet,
    id: "~cup",
    day,
    ...names,
    changedAt: start + Number(numbers[0]),
    steps: numbers.map((sequenceNumber) => ({ sequenceNumber, counts: { "1 waiting": 1 } })),
  });
  const [friday, saturday] = ["2026-07-03", "2026-07-04"];
  const all = [
    of(friday, { name: "Cup" }, "1"),
    of(saturday, {}, "2"),
    of(friday, { name: "CUP" }, "3", "4"),
    of(friday, {}, "5"),
  ];
  expect(mergedTournaments(all)).toEqual([
    { ...of(friday, { name: "CUP" }, "1", "3", "4", "5"), changedAt: start + 5 },
    of(saturday, {}, "2"),
  ]);
});
