import { setImmediate as immediate } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import type { ApiSet } from "../../../core/account/api-set.ts";
import type { OutgoingCard } from "../../../core/delivery/outgoing-messages.ts";
import { ProblemError } from "../../../core/problem/problem.ts";
import type { DeliveryRecord } from "../../../core/store/scorecard-table.ts";
import { createSubmission } from "../../../core/submission/submit.ts";
import { scorecardsInMemory } from "../memory/scorecards.ts";
import { cardAbroad } from "../scorecard/sample-cards.ts";

const green = "green" as ApiSet;
const noon = Date.UTC(2026, 5, 1, 12);

const correctionDelaySeconds = 30;

afterEach(() => {
  vi.restoreAllMocks();
});

/** A clock for what has a time limit: none is up before it is said to be, in milliseconds from when it was set. */
function limits() {
  const set: { readonly milliseconds: number; readonly limit: AbortController }[] = [];
  vi.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => {
    const limit = new AbortController();
    set.push({ milliseconds, limit });
    return limit.signal;
  });
  return {
    pass(passed: number) {
      for (const { milliseconds, limit } of set) {
        if (milliseconds <= passed) limit.abort(new DOMException("Too late.", "TimeoutError"));
      }
    },
  };
}

/** A submission with a table and a queue in memory. */
function world() {
  const cards = scorecardsInMemory();
  const sent: OutgoingCard[] = [];
  const steps: string[] = [];
  const state = {
    now: noon,
    queueRefuses: false,
    tableRefuses: false,
    looking: Promise.resolve(),
    sending: (_: readonly OutgoingCard[]) => Promise.resolve(),
  };
  const submit = createSubmission({
    cards: {
      ...cards.table,
      read: async (apiSet, externalIds) => {
        await state.looking;
        return cards.table.read(apiSet, externalIds);
      },
      putCards: async (records, signal) => {
        steps.push(`store ${records.length}`);
        if (state.tableRefuses) throw new Error("refused");
        await cards.table.putCards(records, signal);
      },
    },
    send: async (outgoing) => {
      steps.push(`send ${outgoing.length}`);
      if (state.queueRefuses) throw new Error("refused");
      await state.sending(outgoing);
      sent.push(...outgoing);
    },
    courses: { find: async () => new Map() },
    now: () => new Date(state.now),
    timeZone: "Europe/Copenhagen",
    correctionDelaySeconds,
  });
  const deliver = (externalId: string, given: Partial<DeliveryRecord> = {}) => {
    const { card } = cards.of({ apiSet: green, externalId });
    return cards.table.putDeliveries([
      {
        apiSet: green,
        externalId,
        revision: card?.revision ?? "",
        state: "delivered",
        attempts: 1,
        aloneFailures: 0,
        since: state.now,
        ...given,
      },
    ]);
  };
  return {
    cards,
    sent,
    steps,
    state,
    deliver,
    submit: (all: readonly unknown[]) => submit(green, all, "strict", "request"),
  };
}

const card = (ExternalID: string, change: object = {}) => ({ ...cardAbroad(), ExternalID, ...change });
const bad = (ExternalID: string) => card(ExternalID, { HCP: "many" });
const status = async (work: Promise<unknown>) => {
  const error = await work.catch((thrown: unknown) => thrown);
  return error instanceof ProblemError ? error.problem.status : error;
};

test("messages go out before the cards are stored, so that no stored card is without its message", async () => {
  const { submit, steps, sent, cards } = world();
  const answers = await submit([card("1"), card("2")]);
  expect(steps).toEqual(["send 2", "store 2"]);
  expect(answers.map(({ good }) => good)).toEqual([true, true]);
  const stored = cards.of({ apiSet: green, externalId: "1" }).card;
  expect(sent[0]?.queued).toMatchObject({ externalId: "1", revision: stored?.revision, acceptedAt: noon });
  expect(sent[0]?.queued.card).toBe(stored?.content.text());
  expect(answers[0]).toMatchObject({ card: stored?.content.text() });
});

test("some cards of a large submission are stored while others are being sent, none before its own message", async () => {
  const { submit, steps, state, cards } = world();
  const many = Array.from({ length: 120 }, (_, number) => card(String(number)));
  const sending = Promise.withResolvers<void>();
  state.sending = (outgoing) =>
    outgoing.some(({ queued }) => queued.externalId === "119") ? sending.promise : Promise.resolve();
  const answered = submit(many);
  await expect
    .poll(() => steps.toSorted())
    .toEqual(["send 20", "send 50", "send 50", "store 50", "store 50"]);
  expect(cards.of({ apiSet: green, externalId: "99" })).toHaveProperty("card");
  expect(cards.of({ apiSet: green, externalId: "100" })).toEqual({});
  sending.resolve();
  expect((await answered).map((answer) => answer.externalId)).toEqual(
    many.map(({ ExternalID }) => ExternalID),
  );
  expect(cards.of({ apiSet: green, externalId: "119" })).toHaveProperty("card");
});

test("when the queue refuses a part, all is settled before the vendor is told, who may send the same again", async () => {
  const { submit, sent, state, cards } = world();
  const many = Array.from({ length: 120 }, (_, number) => card(String(number)));
  state.sending = async (outgoing) => {
    if (outgoing.some(({ queued }) => queued.externalId === "0")) throw new Error("refused");
  };
  expect(await status(submit(many))).toBe(503);
  expect(cards.of({ apiSet: green, externalId: "0" })).toEqual({});
  expect(cards.of({ apiSet: green, externalId: "119" })).toHaveProperty("card");
  state.sending = () => Promise.resolve();
  sent.length = 0;
  await submit(many);
  // What was stored has its message, and gets no second one.
  expect(sent.map(({ queued }) => queued.externalId)).toEqual(
    many.slice(0, 50).map(({ ExternalID }) => ExternalID),
  );
});

test("when the queue refuses nothing is stored, and the vendor may send the same again", async () => {
  const { submit, state, cards } = world();
  state.queueRefuses = true;
  expect(await status(submit([card("1")]))).toBe(503);
  expect(cards.of({ apiSet: green, externalId: "1" })).toEqual({});
  state.queueRefuses = false;
  expect((await submit([card("1")]))[0]).toMatchObject({ good: true, externalId: "1" });
});

test("when the table refuses, to be read or to be written, the vendor may send the same again", async () => {
  const { submit, state, cards } = world();
  cards.refuse(1);
  expect(await status(submit([card("1")]))).toBe(503);
  state.tableRefuses = true;
  expect(await status(submit([card("1")]))).toBe(503);
  state.tableRefuses = false;
  await submit([card("1")]);
  expect(cards.of({ apiSet: green, externalId: "1" }).card?.content.text()).toContain('"ExternalID":"1"');
});

test("one bad card refuses all, and nothing is sent or stored", async () => {
  const { submit, steps } = world();
  expect(await status(submit([card("1"), bad("2")]))).toBe(422);
  expect(steps).toEqual([]);
});

test("a refusal waits for the look at what is stored, so that nothing goes on in the function's next run", async () => {
  const { submit, state } = world();
  const looking = Promise.withResolvers<void>();
  state.looking = looking.promise;
  let answered = false;
  const refusal = status(submit([bad("1")])).then((code) => {
    answered = true;
    return code;
  });
  await immediate();
  await immediate();
  expect(answered).toBe(false);
  looking.resolve();
  expect(await refusal).toBe(422);
});

test("the same card again is answered as at first, and goes out once", async () => {
  const { submit, sent } = world();
  const [first] = await submit([card("1")]);
  const [again] = await submit([card("1")]);
  expect(again).toEqual(first);
  expect(sent).toHaveLength(1);
});

test("a correction goes out late enough not to overtake what it corrects", async () => {
  const { submit, sent, state, deliver } = world();
  await submit([card("1")]);
  await submit([card("1", { Comment: "a stroke less" })]);
  expect(sent[1]).toMatchObject({ delaySeconds: 30, queued: { corrects: sent[0]?.queued.revision } });
  await deliver("1");
  state.now += 5000;
  await submit([card("1", { Comment: "two strokes less" })]);
  expect(sent[2]).toMatchObject({ delaySeconds: 25, queued: { corrects: sent[1]?.queued.revision } });
  await deliver("1");
  state.now += 60_000;
  await submit([card("1", { Comment: "none" })]);
  expect(sent[3]?.delaySeconds).toBe(0);
});

test("what is not stored in its half of the correction delay is refused, and not stored later either", async () => {
  const time = limits();
  const { submit, steps, state, cards } = world();
  const many = Array.from({ length: 120 }, (_, number) => card(String(number)));
  const corrected = many.map((one) => ({ ...one, Comment: "a stroke less" }));
  const isCorrected = (number: number) =>
    cards
      .of({ apiSet: green, externalId: String(number) })
      .card?.content.text()
      .includes("a stroke less");
  await submit(many);
  steps.length = 0;

  const [first, others] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  state.sending = (outgoing) =>
    outgoing.some(({ queued }) => queued.externalId === "0") ? first.promise : others.promise;
  const answer = status(submit(corrected));
  await expect.poll(() => steps.toSorted()).toEqual(["send 20", "send 50", "send 50"]);
  const half = (correctionDelaySeconds / 2) * 1000;
  time.pass(half - 1);
  first.resolve();
  await expect.poll(() => steps).toContain("store 50");
  time.pass(half);
  others.resolve();
  expect(await answer).toBe(503);
  expect([0, 49, 50, 99, 119].map(isCorrected)).toEqual([true, true, false, false, false]);

  state.sending = () => Promise.resolve();
  await submit(corrected);
  expect([0, 49, 50, 99, 119].map(isCorrected)).toEqual([true, true, true, true, true]);
});

test("what is left of a submission that is sent again goes in the parcels of the first, each card by itself", async () => {
  const { submit, sent, cards } = world();
  const both = [card("1"), card("2")];
  const parcels = () =>
    ["1", "2"].map((externalId) => cards.of({ apiSet: green, externalId }).card?.parcel?.id);
  await submit(both);
  const [parcel] = parcels();
  const second = cards.of({ apiSet: green, externalId: "2" }).card;
  cards.forget({ apiSet: green, externalId: "2" });
  await submit(both);
  expect(parcels()).toEqual([parcel, parcel]);
  expect(sent.map(({ queued }) => queued.parcel)).toEqual([parcel, parcel, undefined]);
  expect(cards.of({ apiSet: green, externalId: "2" }).card?.revision).toBe(second?.revision);
});

test("a correction stays with the parcel of what it corrects, whose delivery it may be asked for", async () => {
  const { submit, sent, cards } = world();
  await submit([card("1"), card("2")]);
  const [first] = sent.map(({ queued }) => queued);
  const parcel = { id: first?.parcel ?? "", revision: first?.revision };
  expect(first?.parcel).toHaveLength(22);
  await cards.table.putParcels([{ apiSet: green, parcel: parcel.id, cards: [], since: noon }]);
  for (const Comment of ["a stroke less", "two strokes less"]) {
    await submit([card("1", { Comment })]);
    expect(cards.of({ apiSet: green, externalId: "1" })).toMatchObject({
      card: { parcel },
      delivery: { revision: first?.revision, state: "delivered" },
    });
    expect(sent.at(-1)?.queued.parcel).toBeUndefined();
  }
});

test("a card that was given up is sent on when it is sent again, with two more days", async () => {
  const { submit, sent, state, deliver } = world();
  await submit([card("1")]);
  await deliver("1", { state: "undelivered" });
  state.now += 3 * 86_400_000;
  await submit([card("1")]);
  expect(sent[1]).toMatchObject({
    delaySeconds: 0,
    queued: { revision: sent[0]?.queued.revision, acceptedAt: state.now },
  });
});

test("a thousand cards with long names and comments are told to be too many for one answer", async () => {
  const { submit, steps } = world();
  const many = Array.from({ length: 900 }, (_, n) => card(String(n), { Comment: "x".repeat(6000) }));
  expect(await status(submit(many))).toBe(413);
  expect(steps).toEqual([]);
});
