import type { WakeUp } from "../../../core/cards/delivery/queue.ts";
import type { DeliveryDependencies } from "../../../core/cards/delivery/run.ts";
import { createSubmission } from "../../../core/cards/submit.ts";
import { withdraw } from "../../../core/cards/withdraw.ts";
import { fits } from "../../../functions/submit-scorecards/answer.ts";
import { second } from "../../durations.ts";
import { cardAbroad } from "../golf/sample-cards.ts";
import { green } from "../memory/stored-card.ts";
import { type Exchange, echo, settings, world } from "./delivery-world.ts";
import { noCourses } from "./no-courses.ts";
import { queueInMemory } from "./queue-in-memory.ts";

const batchSize = 100;
const batchWindow = 1 * second;

/** What the exchange holds of a card, by the comment that tells its contents apart. */
const commentOf = (card: string): string => JSON.parse(card).Comment;

/**
 * A whole delivery in memory: submissions, a queue, runs one after the other, and an exchange that keeps what it takes. Time
 * passes only by what happens in it.
 *
 * @param exchange answers a post; cards that it echoes are taken
 */
export function drivenDelivery(exchange: Exchange = echo, given: Partial<DeliveryDependencies> = {}) {
  /** The contents that the exchange took of each card, in order. */
  const taken = new Map<string, string[]>();
  const take = (externalId: string, comment: string) =>
    taken.set(externalId, [...(taken.get(externalId) ?? []), comment]);

  const made = world(
    async (ids, apiSet, cards) => {
      const answer = await exchange(ids, apiSet, cards);
      for (const { externalId, card } of cards) {
        if (answer.phase === "after" && answer.echoed.has(externalId)) take(externalId, commentOf(card));
      }
      return answer;
    },
    { send: (wakeUps) => sending(wakeUps), ...given },
  );
  const { clock, cards, run } = made;
  const queue = queueInMemory(clock);
  async function sending(wakeUps: readonly WakeUp[]) {
    made.sent.push(...wakeUps);
    await queue.send(wakeUps);
  }
  /** What is to happen at some time besides the queue's messages. */
  const ahead: { readonly at: number; readonly happens: () => unknown }[] = [];
  const nextAt = () => Math.min(queue.nextAt(), ...ahead.map(({ at }) => at));

  async function happenings() {
    for (const happening of ahead.filter(({ at }) => at <= clock.now)) {
      ahead.splice(ahead.indexOf(happening), 1);
      await happening.happens();
    }
  }

  const dependencies = {
    table: cards.table,
    send: sending,
    now: () => new Date(clock.now),
    timing: settings.timing,
    readDigestSecret: async () => "secret",
  };
  const submission = createSubmission({
    fits,
    ...dependencies,
    courses: noCourses,
    timeZone: "Europe/Copenhagen",
    country: "DK",
    highestHandicapIndex: 72,
    hasSandbox: true,
  });

  return {
    ...made,
    queue,
    taken,
    take,
    submission,
    /** Submits a card; the comment is its content. */
    submit: (externalId: string, comment: string) =>
      submission(green, [{ ...cardAbroad(), ExternalID: externalId, Comment: comment }], "strict", "request"),
    /** Submits cards together. */
    submitTogether: (externalIds: readonly string[]) =>
      submission(
        green,
        externalIds.map((ExternalID) => ({ ...cardAbroad(), ExternalID, Comment: "together" })),
        "strict",
        "request",
      ),
    withdraw: (externalId: string) =>
      withdraw(green, externalId, {
        ...dependencies,
        timeZone: "Europe/Copenhagen",
        wait: async (milliseconds) => {
          clock.now += milliseconds;
        },
      }),
    /** Has something happen so many milliseconds from now. */
    later(milliseconds: number, happens: () => unknown) {
      ahead.push({ at: clock.now + milliseconds, happens });
    },
    /** Lets time pass, with a run for each batch of messages. @param work instead of a run */
    async pass(milliseconds: number, work = run) {
      const until = clock.now + milliseconds;
      while (nextAt() <= until) {
        clock.now = Math.max(clock.now, nextAt());
        await happenings();
        if (queue.nextAt() > clock.now) continue;
        // What comes in while a batch is gathered is part of it.
        if (queue.nextAt() + batchWindow > clock.now) clock.now += batchWindow;
        await queue.receive(batchSize, work);
      }
      clock.now = Math.max(clock.now, until);
    },
    /** What the exchange has of a card in the end. */
    held: (externalId: string) => taken.get(externalId)?.at(-1),
    /** The content that is stored of a card. */
    content: (externalId: string) => commentOf(cards.of(externalId)?.content.text() ?? "{}"),
  };
}
