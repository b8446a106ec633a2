import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { expect, test } from "vitest";
import { vendor } from "./explore/stories.ts";
import { noFaults } from "./faults.ts";
import { history } from "./history.ts";
import { inVirtualTime } from "./simulated-days.ts";
import { type SimulatedPipeline, simulatedPipeline } from "./simulated-pipeline.ts";
import { steadyCard } from "./simulated-vendor.ts";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
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
const troubles: readonly [string, Trouble][] = [
  [
    "nobody takes for twelve hours",
    { begins: (pipeline) => pipeline.poll("still"), lasts: 12 * hour, ends: usual, pace: second },
  ],
  [
    "are taken one a minute",
    { begins: (pipeline) => pipeline.poll("trickle"), lasts: 12 * hour, ends: usual, pace: second },
  ],
  [
    "are held for twelve days",
    {
      begins: (pipeline) => pipeline.hold(true),
      lasts: 12 * day,
      ends: (pipeline) => pipeline.hold(false),
      pace: 2 * hour,
    },
  ],
];

test.each(troubles)("cards whose messages %s are posted once, and none is woken up", async (_, trouble) => {
  const { cards, sent, woken } = await play(trouble);
  expect([woken, sent]).toEqual([0, names.length]);
  for (const { posts, writes } of cards) {
    expect(posts).toHaveLength(1);
    expect(writes.map(({ card }) => card.state)).toEqual(["queued", "delivered"]);
    expect(writes.map(({ card }) => card.maybeAtExchange)).toEqual([0, 0]);
  }
});

test.each<[string, Trouble, number]>([
  [
    "a queue that is purged",
    {
      begins: (pipeline) => pipeline.poll("still"),
      lasts: minute,
      ends(pipeline) {
        pipeline.purge();
        usual(pipeline);
      },
      pace: 0,
    },
    names.length,
  ],
  [
    "a queue that keeps them for two weeks of a hold of three",
    {
      begins: (pipeline) => pipeline.hold(true),
      lasts: 21 * day,
      ends: (pipeline) => pipeline.hold(false),
      pace: 4 * hour,
    },
    42,
  ],
])(
  "cards whose messages are lost by %s are found within an hour, and posted once",
  async (_, trouble, lost) => {
    const { cards, sent, woken, endedAt } = await play(trouble);
    expect(woken).toBe(lost);
    expect(sent).toBeLessThanOrEqual(1.1 * names.length);
    for (const { posts, writes } of cards) {
      expect(posts).toHaveLength(1);
      expect(writes.at(-1)?.card.state).toBe("delivered");
      expect(writes.at(-1)?.at).toBeLessThanOrEqual(endedAt + hour);
    }
  },
);
