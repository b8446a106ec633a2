import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeWakeUps, readMessage, readMessages, type WakeUp } from "../../../core/cards/delivery/queue.ts";
import { delayOnGrid, delaySeconds, returnAfterLongWait } from "../../../core/cards/delivery/timing.ts";
import { hour, minute, second } from "../../durations.ts";
import { green, red, start } from "../memory/stored-card.ts";
import { about, message, names, wakeUp } from "./delivery-world.ts";

const bodyOf = (...wakeUps: WakeUp[]) => message(wakeUps).body;

test.each(["417", "🏌️‍♀️ hole in one ⛳", "\ufffe\uffff", "\u0000\u001f", `"quoted" \\ud83c`, "a\nb"])(
  "a message about the card %j is read as it was written",
  (externalId) => {
    expect(readMessage(bodyOf(wakeUp(externalId)))).toEqual({
      apiSet: green,
      cards: [{ externalId, version: 1, madeAt: start, mark: undefined }],
    });
  },
);

test("a message has only characters that SQS accepts, and no surrogate pairs", () => {
  const body = bodyOf(wakeUp("🏌️‍♀️\u0001\ufffe\uffff"));
  expect(body).toMatch(/^[\t\n\r\u0020-\ud7ff\ue000-\ufffd]*$/u);
  expect(body).not.toMatch(/[\ud800-\udfff]/);
});

test("a message names each card's version, time and mark, in their order", () => {
  const cards = [
    wakeUp("1", { version: 2, mark: "stored" }),
    wakeUp("2", { madeAt: start + 1 }),
    wakeUp("3", { version: 7, mark: "repost", maybePosted: true }),
  ];
  expect(readMessage(bodyOf(...cards))?.cards).toEqual([
    { externalId: "1", version: 2, madeAt: start, mark: "stored" },
    { externalId: "2", version: 1, madeAt: start + 1, mark: undefined },
    { externalId: "3", version: 7, madeAt: start, mark: "repost", maybePosted: true },
  ]);
});

test("a message has no card contents: fifty cards with the longest names fit into one", () => {
  const long = names(50).map((name) => wakeUp(name.padEnd(256, "🏌")));
  expect(bodyOf(...long).length).toBeLessThan(256 * 1024);
});

const ours = JSON.parse(bodyOf(wakeUp("417")));
test.each([
  ["nothing", ""],
  ["half a document", "{"],
  ["null", "null"],
  ["an array", "[]"],
  ["another form", JSON.stringify({ ...ours, form: 3 })],
  ["the form before", JSON.stringify({ ...ours, form: undefined })],
  ["no card", JSON.stringify({ ...ours, cards: [] })],
  ["a version that is none", JSON.stringify({ ...ours, cards: [["417", 0, start]] })],
  ["a mark that is none", JSON.stringify({ ...ours, cards: [["417", 1, start, "urgent"]] })],
  ["a name that is too long for a key", JSON.stringify({ ...ours, cards: [["x".repeat(257), 1, start]] })],
  ["a name that is no text", JSON.stringify({ ...ours, cards: [["\ud83c", 1, start]] })],
  ["an API set that is none", JSON.stringify({ ...ours, apiSet: "a#b" })],
])("a message with %s is not read", (_, body) => {
  expect(readMessage(body)).toBeUndefined();
});

test("a message of merged wake-ups has only format, vendor and cards, whatever else the wake-ups carry", () => {
  const received = { ...wakeUp("1"), anything: "else" };
  expect(JSON.parse(bodyOf(received))).toEqual({ form: 2, apiSet: "green", cards: [["1", 1, start]] });
});

test("wake-ups that are sent together are each in exactly one message, whatever they are", () => {
  const drawn = fc.array(
    fc.record({
      apiSet: fc.constantFrom(green, red),
      delaySeconds: fc.constantFrom(0, 2, 900),
      version: fc.integer({ min: 1, max: 9 }),
    }),
    { maxLength: 300, size: "max" },
  );
  fc.assert(
    fc.property(drawn, (all) => {
      const wakeUps = all.map((given, n) => wakeUp(`${n}`, given));
      const read = mergeWakeUps(wakeUps).flatMap(({ group, delaySeconds, body }) => {
        const message = readMessage(body);
        if (message === undefined) throw new Error("A message cannot be read.");
        const { apiSet, cards } = message;
        expect(group).toBe(apiSet);
        return cards.map((card) => ({ ...card, apiSet, delaySeconds }));
      });
      const byName = (one: WakeUp, other: WakeUp) => Number(one.externalId) - Number(other.externalId);
      expect(read.toSorted(byName)).toEqual(wakeUps.map((one) => ({ ...one, mark: undefined })));
    }),
    { numRuns: 30 },
  );
});

const read = (...messages: Parameters<typeof readMessages>[0]) => readMessages(messages);
const cardsOf = (batch: ReturnType<typeof readMessages>) => batch.vendors.get(green)?.wakeUps;

test("a message that SQS hands over twice in a batch names each card once, with all message IDs", () => {
  const again = message(["417"], { messageId: "again" });
  expect(read(again, about("417")).vendors.get(green)).toEqual({
    wakeUps: [{ externalId: "417", version: 1, madeAt: start, mark: undefined }],
    messageIds: ["again", "message"],
  });
});

test.each<[string, Partial<WakeUp>, Partial<WakeUp>, WakeUp["mark"]]>([
  ["an insert, twice", { mark: "inserted" }, { mark: "inserted" }, "inserted"],
  ["an insert and a wake-up without a condition", {}, { mark: "inserted", madeAt: start + 1 }, undefined],
  ["an insert and a stored version", { mark: "stored" }, { mark: "inserted" }, "stored"],
])("a batch with wake-ups of one version by %s wakes it up", (_, first, second, mark) => {
  const [one, other] = [message([wakeUp("417", first)]), message([wakeUp("417", second)])];
  for (const batch of [read(one, other), read(other, one)]) expect(cardsOf(batch)).toMatchObject([{ mark }]);
});

test("of several inserts of one version any may have been made, which a wake-up keeps when it is sent again", () => {
  const [one, two, three] = [0, 1, 2].map((later) =>
    message([wakeUp("417", { mark: "inserted", madeAt: start + later })]),
  ) as [ReturnType<typeof message>, ReturnType<typeof message>, ReturnType<typeof message>];
  for (const batch of [read(one, two, three), read(three, one, two, one)]) {
    const [merged] = cardsOf(batch) ?? [];
    expect(merged).toMatchObject({ mark: "inserted", madeAt: start + 2 });
    expect(merged?.alsoMadeAt?.toSorted()).toEqual([start, start + 1]);
    const again = message([wakeUp("417", { ...merged })]);
    expect(cardsOf(read(again))).toMatchObject([
      { mark: "inserted", madeAt: start + 2, alsoMadeAt: merged?.alsoMadeAt },
    ]);
  }
});

test("a batch with an old and a new wake-up of one version wakes it up by the new one, since the old one may be void", () => {
  const messages = [
    message([wakeUp("417", { mark: "stored" })]),
    message([wakeUp("417", { mark: "inserted", madeAt: start + hour })]),
  ];
  for (const batch of [read(...messages), read(...messages.toReversed())])
    expect(cardsOf(batch)).toMatchObject([{ mark: "stored", madeAt: start + hour }]);
});

test.each<[string, number, Partial<WakeUp>, Partial<WakeUp>, boolean]>([
  ["may have been posted if one of its messages was received before", 2, {}, {}, true],
  ["may have been posted if one of its messages says so", 1, { maybePosted: true }, {}, true],
  ["has not been posted if an earlier version may have been", 2, {}, { version: 2 }, false],
  ["has not been posted as far as anybody knows", 1, {}, {}, false],
])("a batch of messages marks that a card %s", (_, receives, first, second, maybePosted) => {
  const messages = [
    message([wakeUp("417", first)], { messageId: "1", receives }),
    message([wakeUp("417", second)], { messageId: "2" }),
  ];
  for (const order of [messages, messages.toReversed()]) {
    const latest = cardsOf(read(...order))?.reduce((one, two) => (two.version > one.version ? two : one));
    expect(latest?.maybePosted ?? false).toBe(maybePosted);
  }
});

test.each<[string, Partial<WakeUp>, Partial<WakeUp>]>([
  ["the mark that says that the version was seen stored", { mark: "stored" }, {}],
  ["the mark that asks for another post", { mark: "repost" }, { mark: "stored" }],
])("a batch of messages that names a card several times results in %s, in any order", (_, wanted, other) => {
  const messages = [wanted, other].map((given, n) => message([wakeUp("417", given)], { messageId: `${n}` }));
  for (const order of [messages, messages.toReversed()]) {
    expect(cardsOf(read(...order))).toMatchObject([{ version: 1, mark: undefined, ...wanted }]);
  }
});

test("a batch of messages that names two versions of a card has both: either may be the one that is stored", () => {
  const batch = read(message([wakeUp("417", { version: 2 }), wakeUp("417", { version: 1 })]));
  expect(cardsOf(batch)).toMatchObject([{ version: 2 }, { version: 1 }]);
});

test("a batch of messages is grouped by vendor, and unreadable messages are reported", () => {
  const batch = read(
    message(["1"], { messageId: "1" }),
    { messageId: "broken", body: "{", receives: 1 },
    message([wakeUp("1", { apiSet: red })], { messageId: "2" }),
  );
  expect([...batch.vendors].map(([apiSet, { wakeUps }]) => [apiSet, wakeUps.length])).toEqual([
    ["green", 1],
    ["red", 1],
  ]);
  expect(batch.unreadable).toEqual(["broken"]);
});

test.each([
  [0, 0],
  [-5000, 0],
  [1, 1],
  [1000, 1],
  [1001, 2],
  [20_000, 20],
  [899_001, 900],
  [3_600_000, 900],
])("a wait of %i ms is a delay of %i seconds", (milliseconds, seconds) => {
  expect(delaySeconds(milliseconds)).toBe(seconds);
});

const waits = fc.integer({ min: 0, max: 12 * minute });
const times = fc.integer({ min: start, max: start + hour });
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

test("the time when a waiting card comes back is never sooner than its wait, nor later than that, a quarter, an eighth and two seconds more", () => {
  fc.assert(
    fc.property(waits, times, chance, (wait, now, random) => {
      const delay = delayOnGrid(wait, now, random) * second;
      expect(delay).toBeGreaterThanOrEqual(wait);
      expect(delay).toBeLessThanOrEqual(wait * (1 + 1 / 4 + (1 / 8) * 1.25) + 2 * second);
    }),
  );
});

test("the time when a waiting card comes back is at most the 15 minutes for which SQS delays a message", () => {
  expect(delayOnGrid(hour, start, 0.5)).toBe(900);
});

test("a card that waits in messages of 15 minutes at most comes back within five minutes after its wait, with a minute to spare", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 15 * minute, max: hour }),
      times,
      fc.infiniteStream(chance),
      (wait, now, chances) => {
        let at = now;
        while (at < now + wait) at += delayOnGrid(now + wait - at, at, chances.next().value ?? 0) * second;
        expect(at - (now + wait)).toBeLessThanOrEqual(returnAfterLongWait - minute);
      },
    ),
  );
});

test("the time when a waiting card comes back is one of few, so that cards which wait alone meet and share a message", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2 * second, max: 12 * minute }),
      times,
      fc.array(chance, { minLength: 100, maxLength: 100, size: "max" }),
      (wait, now, chances) => {
        const delays = new Set(chances.map((random) => delayOnGrid(wait, now, random)));
        // A quarter of the wait is jitter, and the grid is more than a sixteenth of it, or a second.
        expect(delays.size).toBeLessThanOrEqual(6);
      },
    ),
  );
});

test("the time when a waiting card comes back is the same for cards that begin to wait for the same time at different moments", () => {
  const due = (now: number) => Math.round((now + delayOnGrid(5 * minute, now, 0) * second) / second);
  const dues = Array.from({ length: 32 }, (_, n) => due(start + n * second));
  expect(new Set(dues).size).toBeLessThanOrEqual(2);
});
