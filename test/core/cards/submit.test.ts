import { setImmediate as immediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { ValidCard } from "../../../core/cards/delivery/plan.ts";
import type { WakeUp } from "../../../core/cards/delivery/queue.ts";
import { digestContent, erasure } from "../../../core/cards/person-data.ts";
import { createSubmission } from "../../../core/cards/submit.ts";
import { RefusalError } from "../../../core/golf/refusal.ts";
import type { SecondRead } from "../../../core/register/read-refused.ts";
import { problemOf } from "../../../functions/http/problem.ts";
import { fits } from "../../../functions/submit-scorecards/answer.ts";
import { hour } from "../../durations.ts";
import { cardAbroad, minimalCard } from "../golf/sample-cards.ts";
import { scorecardsInMemory } from "../memory/scorecards.ts";
import { green, start, storedCard } from "../memory/stored-card.ts";
import { settings } from "./delivery-world.ts";
import { noCourses } from "./no-courses.ts";

/** A submission with a table and a queue in memory. */
function world(courses = noCourses) {
  const cards = scorecardsInMemory();
  const sent: WakeUp[] = [];
  const steps: string[] = [];
  const state = { now: start, sending: async (_: readonly WakeUp[]): Promise<void> => undefined };
  cards.hooks.beforeWrite = async (changes) => void steps.push(`store ${changes.length}`);
  const submit = createSubmission({
    fits,
    table: cards.table,
    send: async (wakeUps) => {
      steps.push(`send ${wakeUps.length}`);
      await state.sending(wakeUps);
      sent.push(...wakeUps);
    },
    courses,
    now: () => new Date(state.now),
    timeZone: "Europe/Copenhagen",
    country: "DK",
    highestHandicapIndex: 72,
    timing: settings.timing,
    readDigestSecret: async () => "secret",
  });
  return {
    cards,
    sent,
    steps,
    state,
    submit: (
      sentCards: readonly unknown[],
      handling: "strict" | "lenient" = "strict",
      allowsAnyCorrection = false,
    ) => submit(green, sentCards, handling, "request", { allowsAnyCorrection }),
  };
}

const card = (ExternalID: string, changes = {}) => ({ ...cardAbroad(), ExternalID, ...changes });
const bad = (ExternalID: string) => card(ExternalID, { Result: { Strokes: [] } });
const many = (count: number) => Array.from({ length: count }, (_, n) => card(String(n)));

/** The status of the problem that a submission is answered with. */
async function status(submission: Promise<unknown>): Promise<unknown> {
  const error = await submission.catch((thrown: unknown) => thrown);
  return error instanceof RefusalError ? problemOf(error).problem.status : error;
}

test("wake-ups go out before the cards are stored, so that no stored card is without one", async () => {
  const { submit, steps, sent, cards } = world();
  const answers = await submit([card("1"), card("2")]);
  expect(steps).toEqual(["send 2", "store 2"]);
  expect(sent).toEqual(
    ["1", "2"].map((externalId) => ({
      apiSet: green,
      externalId,
      version: 1,
      madeAt: start,
      mark: "inserted",
      delaySeconds: 0,
    })),
  );
  expect(cards.of("1")).toMatchObject({
    state: "queued",
    version: 1,
    acceptedAt: start,
    requestId: "request",
  });
  expect(answers).toMatchObject([{ valid: true, externalId: "1" }, { valid: true }]);
  expect(answers.map((answer) => answer.valid && answer.content.text())).toEqual(
    ["1", "2"].map((id) => cards.of(id)?.content.text()),
  );
});

test("some cards of a large submission are stored while the wake-ups of others are sent, none before its own", async () => {
  const { submit, steps, state, cards } = world();
  const sending = Promise.withResolvers<void>();
  state.sending = (wakeUps) =>
    wakeUps.some(({ externalId }) => externalId === "119") ? sending.promise : Promise.resolve();
  const answered = submit(many(120));
  await expect
    .poll(() => steps.toSorted())
    .toEqual(["send 20", "send 50", "send 50", "store 50", "store 50"]);
  expect([cards.of("99")?.state, cards.of("100")]).toEqual(["queued", undefined]);
  sending.resolve();
  expect((await answered).map(({ externalId }) => externalId)).toEqual(
    many(120).map(({ ExternalID }) => ExternalID),
  );
  expect(cards.of("119")?.state).toBe("queued");
});

test("if the queue refuses a part, all is settled before the vendor is told, who may send the same again", async () => {
  const { submit, sent, state, cards } = world();
  state.sending = async (wakeUps) => {
    if (wakeUps.some(({ externalId }) => externalId === "0")) throw new Error("refused");
  };
  expect(await status(submit(many(120)))).toBe(503);
  expect([cards.of("0"), cards.of("119")?.state]).toEqual([undefined, "queued"]);
  state.sending = async () => undefined;
  sent.length = 0;
  await submit(many(120));
  // What was stored has its wake-up, and gets no second one.
  expect(sent.map(({ externalId }) => externalId)).toEqual(many(50).map(({ ExternalID }) => ExternalID));
});

test("if the table refuses to be read or written, nothing is promised, and the same may be sent again", async () => {
  const { submit, cards } = world();
  cards.refuse(1);
  expect(await status(submit([card("1")]))).toBe(503);
  cards.hooks.beforeWrite = () => Promise.reject(new Error("throttled"));
  expect(await status(submit([card("1")]))).toBe(503);
  cards.hooks.beforeWrite = async () => undefined;
  await submit([card("1")]);
  expect(cards.of("1")?.content.text()).toContain('"ExternalID":"1"');
});

test("a write that is carried out though its answer was lost is the card's: the same again changes nothing", async () => {
  const { submit, cards } = world();
  const carryOut = cards.delayNextWrite();
  expect(await status(submit([card("1")]))).toBe(503);
  await carryOut();
  const [again] = await submit([card("1")]);
  expect(again).toMatchObject({ valid: true, externalId: "1" });
  expect(cards.changes).toHaveLength(1);
});

test("one bad card refuses all, and nothing is sent or stored", async () => {
  const { submit, steps } = world();
  expect(await status(submit([card("1"), bad("2")]))).toBe(422);
  expect(steps).toEqual([]);
});

test("with lenient handling the good cards are taken, and each bad one is answered with its faults", async () => {
  const { submit, cards } = world();
  const answers = await submit([bad("1"), card("2"), { no: "card" }], "lenient");
  expect(answers).toMatchObject([
    {
      valid: false,
      externalId: "1",
      faults: expect.arrayContaining([expect.objectContaining({ index: 0, externalId: "1" })]),
    },
    { valid: true, externalId: "2" },
    { valid: false },
  ]);
  expect([cards.of("1"), cards.of("2")?.state]).toEqual([undefined, "queued"]);
});

test("a card on a course that the union may just have added keeps no other card waiting with lenient handling", async () => {
  let unanswered = true;
  const lookAgain = async (all: readonly { readonly key: string }[]): Promise<SecondRead> => ({
    found: new Map(),
    unanswered: new Set(unanswered ? all.map(({ key }) => key) : []),
  });
  const { submit, cards } = world({ ...noCourses, lookAgain });
  const sent = [card("1"), minimalCard({ ExternalID: "new" })];
  expect(await status(submit(sent))).toBe(503);
  expect(await status(submit([...sent, bad("2")]))).toBe(422);
  expect(cards.of("1")).toBeUndefined();
  expect(await status(submit([...sent, bad("2")], "lenient"))).toBe(503);
  expect([cards.of("1")?.state, cards.of("new")]).toEqual(["queued", undefined]);
  unanswered = false;
  const answers = await submit([...sent, bad("2")], "lenient");
  expect(answers.map(({ valid }) => valid)).toEqual([true, false, false]);
  expect(cards.of("1")?.version).toBe(1);
});

test("a submission of bad cards only stores nothing with lenient handling, and is no error", async () => {
  const { submit, steps } = world();
  expect((await submit([bad("1")], "lenient")).map(({ valid }) => valid)).toEqual([false]);
  expect(steps).toEqual([]);
});

test("an empty submission is answered with nothing", async () => {
  const { submit, steps } = world();
  expect([await submit([]), steps]).toEqual([[], []]);
});

test("a refusal waits for the read that it does not need, so that nothing goes on in the function's next run", async () => {
  const { submit, cards } = world();
  const reading = Promise.withResolvers<void>();
  cards.hooks.beforeRead = () => reading.promise;
  let answered = false;
  const refusal = status(submit([bad("1"), bad("2")])).then((code) => {
    answered = true;
    return code;
  });
  await immediate();
  await immediate();
  expect(answered).toBe(false);
  reading.resolve();
  expect(await refusal).toBe(422);
});

test("the same cards again are answered as at first, and wake nobody up", async () => {
  const { submit, sent } = world();
  const texts = async () => (await submit(many(2))).map((answer) => answer.valid && answer.content.text());
  const [first, again] = [await texts(), await texts()];
  expect(again).toEqual(first);
  expect(sent).toHaveLength(2);
});

test("a new card that comes alone takes one message and one write, without a read", async () => {
  const { submit, steps, cards, sent } = world();
  await submit([card("1")]);
  expect(steps).toEqual(["send 1", "store 1"]);
  expect(cards.requests).toEqual({ reads: 0, writes: 1 });
  expect(sent).toMatchObject([{ version: 1, madeAt: start, mark: "inserted" }]);
});

test("a known card that comes alone again is read, and answered as it is stored", async () => {
  const { submit, cards, state } = world();
  const [first] = await submit([card("1")]);
  state.now += 1000;
  const [again] = await submit([card("1")]);
  expect(again).toMatchObject({ valid: true, content: (first as ValidCard).content });
  expect(cards.requests.reads).toBe(1);
  expect(cards.of("1")).toMatchObject({ version: 1, acceptedAt: start });
});

test("the same card again is woken up once more if it is overdue, as the version that is stored", async () => {
  const { submit, sent, state, cards } = world();
  await submit([card("1")]);
  await submit([card("1", { Comment: "a stroke less" })]);
  state.now += hour;
  await submit([card("1", { Comment: "a stroke less" })]);
  expect(sent.filter(({ version }) => version === 2)).toMatchObject([
    { version: 2, madeAt: start, delaySeconds: 0 },
    { version: 2, madeAt: start + hour, delaySeconds: 16 },
  ]);
  expect(cards.of("1")).toMatchObject({ version: 2, acceptedAt: start, wokenAt: start + hour });
});

test("a correction is woken up at once and once, though its card is delivered meanwhile, and waits by what is stored", async () => {
  const { submit, sent, cards } = world();
  await submit([card("1")]);
  cards.hooks.beforeWrite = async () => {
    cards.hooks.beforeWrite = async () => undefined;
    cards.put(storedCard("1", { state: "delivered", atExchange: 1 }));
  };
  await submit([card("1", { Comment: "a stroke less" }), card("2")]);
  expect(sent.filter(({ version }) => version === 2)).toMatchObject([{ externalId: "1", delaySeconds: 0 }]);
  expect(cards.of("1")).toMatchObject({ version: 2, mustWait: true, atExchange: 1 });
});

test("two contents of a new card that are sent at once are two versions, one after the other", async () => {
  const { submit, sent, cards } = world();
  const comments = ["five", "four"];
  const answers = await Promise.all(comments.map((Comment) => submit([card("1", { Comment })])));
  expect(answers.flat().map(({ valid }) => valid)).toEqual([true, true]);
  expect(cards.of("1")).toMatchObject({ version: 2, mustWait: true });
  expect(sent.at(-1)).toMatchObject({ externalId: "1", version: 2 });
  expect(cards.of("1")?.content.text()).toMatch(/"Comment":"(five|four)"/);
});

test("the same new card that is sent twice at once is one version, and both are answered alike", async () => {
  const { submit, cards } = world();
  const answers = await Promise.all([1, 2].map(() => submit([card("1")])));
  const [first, second] = answers.flat().map((answer) => answer.valid && answer.content.text());
  expect(first).toBe(second);
  expect(cards.of("1")?.version).toBe(1);
  expect(cards.changes).toHaveLength(1);
});

test("a card that others keep changing is answered with 503, and may be sent again", async () => {
  const { submit, cards } = world();
  let version = 0;
  cards.hooks.beforeWrite = async () =>
    cards.put(storedCard("1", { version: ++version, contentHash: `${version}` }));
  expect(await status(submit([card("1")]))).toBe(503);
  cards.hooks.beforeWrite = async () => undefined;
  expect(await submit([card("1")])).toMatchObject([{ valid: true }]);
});

test("nine hundred cards with long comments are too many for one answer, and none is stored", async () => {
  const { submit, steps } = world();
  const large = Array.from({ length: 900 }, (_, n) => card(String(n), { Comment: "x".repeat(6000) }));
  expect(await status(submit(large))).toBe(413);
  expect(steps).toEqual([]);
});

/** Another player's card of another day, under a name. */
const ofAnother = (ExternalID: string) =>
  card(ExternalID, {
    Player: { UnionID: "6-2" },
    Round: { ...cardAbroad().Round, StartTime: "20250601T100000" },
  });

test.each([{ others: 0 }, { others: 2 }])(
  "another card under the name of a delivered one is refused beside $others others, and nothing is stored",
  async ({ others }) => {
    const { submit, cards } = world();
    await submit([card("1")]);
    await cards.table.write([
      {
        apiSet: green,
        externalId: "1",
        expects: { version: 1, states: ["queued"] },
        set: { state: "delivered", atExchange: 1 },
      },
    ]);
    const sent = [ofAnother("1"), ...Array.from({ length: others }, (_, n) => card(`other ${n}`))];
    expect(await status(submit(sent))).toBe(422);
    expect([cards.of("1")?.version, cards.of("other 0")]).toEqual([1, undefined]);
    expect((await submit(sent, "lenient")).map(({ valid }) => valid)).toEqual([
      false,
      ...Array.from({ length: others }, () => true),
    ]);
    const [taken] = await submit(sent, "lenient", true);
    expect(taken).toMatchObject({ valid: true, corrects: { version: 1, changed: ["player", "day"] } });
    expect(cards.of("1")).toMatchObject({ version: 2, corrects: { version: 1, changed: ["player", "day"] } });
    expect(
      cards
        .of("1")
        ?.content.warnings()
        .map(({ code }) => code),
    ).toContain("player_changed");
  },
);

test.each([1, 2])(
  "a card that a person was erased from is accepted again as it was, of %i in a submission, and is not stored; another content is",
  async (cardsOfSubmission) => {
    const { cards, submit } = world();
    const others = many(cardsOfSubmission - 1);
    const erased = card("417", { Comment: "as it was" });
    const [first] = await submit([erased, ...others]);
    const before = cards.of("417");
    if (before === undefined || !first?.valid) throw new Error("The card was not stored.");
    for (const state of ["delivered", "rejected", "withdrawn"] as const) {
      const stored = { ...before, state };
      const digest = digestContent("secret", stored, stored.contentHash);
      const { set } = erasure(stored, { role: "player" }, () => false, digest);
      cards.put({ ...stored, ...set });
      const [again] = await submit([erased, ...others]);
      expect(again).toMatchObject({ valid: true, externalId: "417" });
      expect(again?.valid && again.content.text()).toBe(first.content.text());
      expect(cards.of("417")).toEqual({ ...stored, ...set });
    }
    await submit([card("417", { Comment: "another" }), ...others]);
    expect(cards.of("417")).toMatchObject({ version: 2, state: "queued" });
    expect(cards.of("417")).not.toHaveProperty("erasedContent", expect.anything());
  },
);
