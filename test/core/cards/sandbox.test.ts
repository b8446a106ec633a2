import { expect, test } from "vitest";
import { deliverNow } from "../../../core/cards/resend.ts";
import { refuseBusySandbox } from "../../../core/cards/sandbox-busy.ts";
import { sandboxOutcomes } from "../../../core/formats/external-ids.ts";
import { RefusalError } from "../../../core/golf/refusal.ts";
import { green, start } from "../memory/stored-card.ts";
import { minute, second, settings, status } from "./delivery-world.ts";
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

test("a corrected rejected card, and an undelivered one that is sent on, are delivered without a post", async () => {
  const driven = await played();
  await driven.submit(idOf("rejected"), "corrected");
  const { cards, clock, queue } = driven;
  const dependencies = { table: cards.table, send: queue.send, now: () => new Date(clock.now) };
  await deliverNow(green, idOf("undelivered"), { ...dependencies, timing: settings.timing });
  await driven.pass(5 * minute);
  expect(driven.states(idOf("rejected"), idOf("undelivered"))).toEqual(["delivered", "delivered"]);
  await deliverNow(green, idOf("slow"), { ...dependencies, timing: settings.timing }).catch(() => undefined);
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
