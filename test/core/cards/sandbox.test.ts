import { expect, test } from "vitest";
import { renewWakeUp } from "../../../command/backup/take-over-command.ts";
import type { ResendableState } from "../../../core/cards/life/states.ts";
import { chooseDelivered, deliverNow, redrive, resend } from "../../../core/cards/resend.ts";
import { refuseBusySandbox } from "../../../core/cards/sandbox-busy.ts";
import { refuseSandboxId, sandboxOutcomes } from "../../../core/formats/external-ids.ts";
import { RefusalError } from "../../../core/golf/refusal.ts";
import { minute, second } from "../../durations.ts";
import { green, start } from "../memory/stored-card.ts";
import { settings, status } from "./delivery-world.ts";
import { drivenDelivery } from "./driven-delivery.ts";

const idOf = (outcome: string) => `sandbox:${outcome}-417`;

/** Has cards that force outcomes accepted in one submission with another card. */
async function played() {
  const driven = drivenDelivery();
  await driven.submitTogether([...sandboxOutcomes.map(idOf), "another"]);
  await driven.pass(minute);
  return driven;
}

test("each ExternalID of the sandbox gets its outcome within half a minute, and only the other card is posted", async () => {
  const driven = drivenDelivery();
  await driven.submitTogether([...sandboxOutcomes.map(idOf), "another"]);
  await driven.pass(8 * second);
  expect(driven.states(idOf("slow"), idOf("undelivered"), "another")).toEqual([
    "retrying",
    "retrying",
    "delivered",
  ]);
  await driven.pass(22 * second);
  expect(driven.states(...sandboxOutcomes.map(idOf))).toEqual([
    "rejected",
    "undelivered",
    ...Array.from({ length: 4 }, () => "delivered"),
  ]);
  expect(driven.cards.of(idOf("rejected"))).toMatchObject({ failure: { status: 422 }, maybeAtExchange: 0 });
  expect(driven.arrays()).toEqual([["another"]]);
  const alarming = driven.events.filter((event) => event.kind !== "posted" && event.kind !== "recorded");
  expect(alarming).toEqual([]);
});

type Played = Awaited<ReturnType<typeof played>>;

const dependenciesOf = ({ cards, clock, queue }: Played) => ({
  table: cards.table,
  send: queue.send,
  now: () => new Date(clock.now),
  timing: settings.timing,
});

const storedIn = ({ cards }: Played) => sandboxOutcomes.flatMap((outcome) => cards.of(idOf(outcome)) ?? []);

/** Has given-up or rejected cards sent on, and dead letters that name every card moved back. */
const redriven = (state: ResendableState) => (driven: Played) => {
  const cards = storedIn(driven).map(({ externalId, version }) => ({ externalId, version, madeAt: start }));
  const letter = { messageId: "letter", receiptHandle: "", body: JSON.stringify({ apiSet: green, cards }) };
  const deadLetters = {
    each: (work: (letters: (typeof letter)[]) => Promise<void>) => work([letter]),
    remove: async () => undefined,
  };
  return redrive([green], { ...dependenciesOf(driven), deadLetters }, { state });
};

/** The ways on which a card is sent again, and what each makes of a rejected card and of an undelivered one. */
const ways: readonly (readonly [
  way: string,
  send: (driven: Played) => unknown,
  states: readonly string[],
])[] = [
  ["a correction", (driven) => driven.submit(idOf("rejected"), "right"), ["delivered", "undelivered"]],
  [
    "a delivery on demand",
    (driven) => deliverNow(green, idOf("undelivered"), dependenciesOf(driven)),
    ["rejected", "delivered"],
  ],
  ["a redrive of undelivered cards", redriven("undelivered"), ["rejected", "delivered"]],
  ["a redrive of rejected cards", redriven("rejected"), ["rejected", "undelivered"]],
  [
    "a day posted again",
    (driven) => {
      const day = { vendors: [green], from: start, to: driven.clock.now, notRecorded: false };
      return resend(chooseDelivered(storedIn(driven), day), dependenciesOf(driven));
    },
    ["rejected", "undelivered"],
  ],
  [
    "a table restored from a backup",
    (driven) => driven.queue.send(storedIn(driven).map((card) => renewWakeUp(card, driven.clock.now))),
    ["rejected", "undelivered"],
  ],
];

test.each(ways)("%s posts no sandbox card", async (_, send, states) => {
  const driven = await played();
  await send(driven);
  expect(driven.queue.nextAt()).toBeLessThan(Number.POSITIVE_INFINITY);
  await driven.pass(5 * minute);
  expect(driven.states(idOf("rejected"), idOf("undelivered"))).toEqual(states);
  expect(driven.states(...["slow", "busy", "not-recorded"].map(idOf))).toEqual(Array(3).fill("delivered"));
  expect(driven.arrays()).toEqual([["another"]]);
});

test("a slow card can be withdrawn, and is not posted", async () => {
  const driven = drivenDelivery();
  await driven.submit(idOf("slow"), "mistaken");
  await driven.pass(3 * second);
  await driven.withdraw(idOf("slow"));
  await driven.pass(10 * minute);
  expect([driven.states(idOf("slow")), driven.arrays()]).toEqual([["withdrawn"], []]);
});

test("sandbox cards go through while the vendor's breaker is open, and leave it as it is", async () => {
  const driven = drivenDelivery(() => status(503));
  await driven.submitTogether(["one", "another"]);
  await driven.pass(10 * second);
  const { breaker } = await driven.cards.table.tryRead(green, []);
  expect(breaker.open).toBeDefined();
  await driven.submit(idOf("busy"), "in an outage");
  await driven.pass(2 * second);
  expect(driven.states(idOf("busy"), "one")).toEqual(["delivered", "retrying"]);
  expect(driven.posts.flatMap(({ ids }) => ids)).not.toContain(idOf("busy"));
});

test("a submission with a busy card is refused until Retry-After has passed, and then no more", () => {
  const clock = { now: start };
  let refused = 0;
  const refuse = refuseBusySandbox(
    () => clock.now,
    () => refused++,
  );
  const submit = (...names: readonly string[]) => {
    try {
      refuse(
        green,
        names.map((ExternalID) => ({ ExternalID })),
      );
      return "taken";
    } catch (error) {
      return error instanceof RefusalError && error.refusal;
    }
  };
  const busy = (retryAfterSeconds: number) => ({ kind: "unavailable", retryAfterSeconds });
  expect(submit("417", idOf("slow"))).toBe("taken");
  expect(submit("417", idOf("busy"))).toMatchObject(busy(3));
  clock.now += second;
  expect(submit(idOf("busy"))).toMatchObject(busy(2));
  clock.now += 2 * second;
  expect([submit(idOf("busy")), submit(idOf("busy")), refused]).toEqual(["taken", "taken", 2]);
});

test("on a stage without a sandbox, each form is refused", () => {
  for (const id of sandboxOutcomes.map(idOf)) {
    expect([refuseSandboxId(id, true), refuseSandboxId(id.toUpperCase(), false)]).toEqual([
      undefined,
      expect.stringContaining("on the stage test only"),
    ]);
    expect(refuseSandboxId(id, false)).toBeDefined();
  }
});
