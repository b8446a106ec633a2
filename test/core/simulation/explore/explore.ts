import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { expect, test } from "vitest";
import { isFinal } from "../../../../core/cards/life/states.ts";
import { hour, second } from "../../../durations.ts";
import { become, noFaults } from "../faults.ts";
import { type CardHistory, history, traceOf } from "../history.ts";
import { judge } from "../judge.ts";
import { judgeViews } from "../judge-views.ts";
import type { Sabotage } from "../sabotage.ts";
import { inVirtualTime } from "../simulated-days.ts";
import { simulatedPipeline } from "../simulated-pipeline.ts";
import { type Choice, oracle, possibleFaults } from "./oracle.ts";
import { createStage, type Story, type StoryName, stories, vendor } from "./stories.ts";

const begin = Date.UTC(2026, 5, 1, 12);

/** What is played of a story. */
export interface Exploration {
  /** How many faults hit it in one way. */
  readonly maxFaults: number;
  readonly moments?: readonly number[];
  readonly sabotage?: Sabotage;
  /** When it ends although ways are left, in milliseconds since 1970. */
  readonly until?: number;
  /** Orders the first faults, so that others are tried if there is not time for all. */
  readonly seed?: number;
}

/** What the ways of a story came to. */
export interface Explored {
  readonly ways: number;
  readonly isWhole: boolean;
  /** What does not hold, each with the first way that shows it. */
  readonly violations: readonly string[];
}

interface Way {
  readonly moment: number;
  /** Choices that differ from the usual, by place. */
  readonly forced: ReadonlyMap<number, number>;
  readonly faults: number;
}

/** Plays one way of a story. @returns where it could have gone another way, and what does not hold in the end */
function playWay(story: Story, { moment, forced }: Way, sabotage: Sabotage | undefined) {
  return inVirtualTime(begin, 1, (time) => {
    let isOpen = true;
    const end = begin + moment + (story.lasts ?? 30 * second);
    const isBeforeEnd = () => isOpen && time.now() < end;
    const { random, choices } = oracle(forced, () => time.now() - begin, isBeforeEnd);
    const told = history(time);
    const faults = possibleFaults();
    const conflicts = story.conflicts ?? false;
    faults.exchange.conflicts = conflicts;
    const giveUpMilliseconds = 48 * hour;
    const pipeline = simulatedPipeline(time, random, told, {
      faults,
      giveUpMilliseconds,
      wakesWaiting: false,
      sabotage,
    });
    async function play() {
      await story.acts(createStage(pipeline, time), moment);
      await time.sleep(Math.max(2 * second, end - time.now()));
      isOpen = false;
      become(faults, { ...noFaults(), exchange: { ...noFaults().exchange, conflicts } });
      const until = time.now() + 12 * hour;
      do {
        while (!pipeline.isIdle() && time.now() < until) await time.sleep(60 * second);
        // What is carried out late is done after that.
        await time.sleep(150 * second);
      } while (!pipeline.isIdle() && time.now() < until);
      const cards = [...told.cards.values()];
      const violations = [
        ...cards.flatMap((card) => {
          const isPostedOnce = forced.size === 0;
          return judge(card, pipeline.exchangeHolds(card.externalId), { isCalm: false, isPostedOnce });
        }),
        ...cards.flatMap(({ writes }) => {
          const state = writes.at(-1)?.card.state;
          return state === undefined || isFinal(state) ? [] : [`it is ${state} in the end`];
        }),
        // A breaker that opened after the last card was delivered waits for the next card.
        ...(cards.every(isDelivered) && pipeline.isPaused(Math.max(...cards.map(deliveredAt)))
          ? ["a breaker is open in the end"]
          : []),
        ...told.mistakes,
        ...(pipeline.isIdle() ? [] : ["messages are left in the queue"]),
        ...(await judgeViews(vendor, cards, pipeline.activity)),
      ];
      return { choices, violations, trace: () => cards.flatMap(traceOf) };
    }
    return time.passUntil(play());
  });
}

const isDelivered = ({ writes }: CardHistory) => writes.at(-1)?.card.state === "delivered";

/** When the latest version of a delivered card was delivered. */
const deliveredAt = ({ writes }: CardHistory): number =>
  writes.find(({ card }) => {
    return card.version === writes.at(-1)?.card.version && card.state === "delivered";
  })?.at ?? 0;

/** A way in words, for whoever looks for what is wrong. */
const describeWay = ({ moment, forced }: Way, choices: readonly Choice[]) =>
  [
    `second act at ${moment} ms`,
    ...[...forced].map(([place, choice]) => `${choices[place]?.label}=${choice} at ${choices[place]?.at} ms`),
  ].join(", ");

/** The ways that differ from one by a later choice. */
function waysAfter({ moment, forced, faults }: Way, choices: readonly Choice[], maxFaults: number): Way[] {
  const last = Math.max(-1, ...forced.keys());
  return choices.flatMap(({ options, cost }, place) => {
    if (place <= last || faults + cost > maxFaults) return [];
    return Array.from({ length: options - 1 }, (_, n) => ({
      moment,
      forced: new Map([...forced, [place, n + 1]]),
      faults: faults + cost,
    }));
  });
}

/**
 * Plays all ways in which up to so many faults may hit a story: at every request, post, clock and delay one fault or none, and then all
 * ways in which it may show.
 */
export async function explore(name: StoryName, exploration: Exploration): Promise<Explored> {
  const { maxFaults, sabotage, until = Number.POSITIVE_INFINITY, seed } = exploration;
  const story: Story = stories[name];
  const { moments = story.moments } = exploration;
  const found = new Map<string, string>();
  let ways = 0;
  /** The next way is the last. */
  const left: Way[] = moments.map((moment) => ({ moment, forced: new Map(), faults: 0 })).toReversed();
  for (let way = left.pop(); way !== undefined; way = left.pop()) {
    ways++;
    const { choices, violations, trace } = await playWay(story, way, sabotage);
    for (const words of violations) {
      const steps = process.env.TRACE ? `\n${trace().join("\n")}` : "";
      if (!found.has(words)) found.set(words, `${words} (${name}: ${describeWay(way, choices)})${steps}`);
    }
    const next = waysAfter(way, choices, maxFaults);
    if (way.faults > 0 || seed === undefined) left.push(...next.toReversed());
    else left.unshift(...seededRandom(seed, name, way.moment).shuffled(next));
    if (Date.now() > until || (sabotage !== undefined && found.size > 0)) break;
  }
  return { ways, isWhole: left.length === 0, violations: [...found.values()] };
}

/** Tests that nothing is violated in any way in which one fault may hit these stories. */
export function testOneFault(names: readonly StoryName[]): void {
  test.each(names)("whatever one fault hits, every promise holds when %s", async (name) => {
    expect((await explore(name, { maxFaults: 1 })).violations).toEqual([]);
  });
}
