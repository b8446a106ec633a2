import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { expect, test } from "vitest";
import { day, hour, minute, second } from "../../durations.ts";
import { vendor } from "./explore/stories.ts";
import { noFaults } from "./faults.ts";
import { history } from "./history.ts";
import { inVirtualTime } from "./simulated-days.ts";
import { type SimulatedPipeline, simulatedPipeline } from "./simulated-pipeline.ts";
import { steadyCard } from "./simulated-vendor.ts";

const names = Array.from({ length: 120 }, (_, n) => `card-${n}`);

/** How long the messages of a queue wait, and what ends that. */
interface Trouble {
  readonly begins: (pipeline: SimulatedPipeline) => void;
  readonly lasts: number;
  readonly ends: (pipeline: SimulatedPipeline) => void;
  /** Milliseconds between two cards. */
  readonly pace: number;
}

/** Submits cards one by one while their messages wait. @returns what became of them, and how many messages were sent */
const play = ({ begins, lasts, ends, pace }: Trouble) =>
  inVirtualTime(Date.UTC(2026, 5, 1, 12), 1, (time) => {
    const told = history(time);
    const options = { faults: noFaults(), giveUpMilliseconds: 2 * day, wakesWaiting: true };
    const pipeline = simulatedPipeline(time, seededRandom(1), told, options);
    async function act() {
      begins(pipeline);
      const endsAt = time.now() + lasts;
      for (const ExternalID of names) {
        await pipeline.submit(vendor, [steadyCard(ExternalID)]);
        await time.sleep(pace);
      }
      await time.sleep(Math.max(0, endsAt - time.now()));
      ends(pipeline);
      const endedAt = time.now();
      await time.sleep(2 * hour);
      return { endedAt, cards: names.map(told.of), sent: pipeline.sent(), woken: pipeline.woken() };
    }
    return time.passUntil(act());
  });

const usual = (pipeline: SimulatedPipeline) => pipeline.poll("usual");
const isHeld = (held: boolean) => (pipeline: SimulatedPipeline) => pipeline.hold(held);
function purge(pipeline: SimulatedPipeline): void {
  pipeline.purge();
  usual(pipeline);
}
const still = (pipeline: SimulatedPipeline) => pipeline.poll("still");
const trickle = (pipeline: SimulatedPipeline) => pipeline.poll("trickle");
const hold = { begins: isHeld(true), ends: isHeld(false) };

test.each<[string, number, Trouble]>([
  ["nobody takes for twelve hours", 0, { begins: still, lasts: 12 * hour, ends: usual, pace: second }],
  ["are taken one a minute", 0, { begins: trickle, lasts: 12 * hour, ends: usual, pace: second }],
  ["are held for twelve days", 0, { ...hold, lasts: 12 * day, pace: 2 * hour }],
  ["the queue keeps for two weeks of a hold of three", 42, { ...hold, lasts: 21 * day, pace: 4 * hour }],
  ["are purged", names.length, { begins: still, lasts: minute, ends: purge, pace: 0 }],
])(
  "cards whose messages %s are each posted once, and of %i whose messages are lost each is found within an hour",
  async (_, lost, trouble) => {
    const { cards, sent, woken, endedAt } = await play(trouble);
    expect(woken).toBe(lost);
    // Without waking each card takes one message.
    expect(sent).toBeLessThanOrEqual((lost > 0 ? 1.1 : 1) * names.length);
    for (const { posts, writes } of cards) {
      expect(posts).toHaveLength(1);
      const { at = 0, card } = writes.at(-1) ?? {};
      expect([card?.state, at <= endedAt + hour]).toEqual(["delivered", true]);
    }
    const areMaybe = cards.filter(({ writes }) => writes.some(({ card }) => card.maybeAtExchange > 0));
    expect(areMaybe).toHaveLength(lost);
  },
);
