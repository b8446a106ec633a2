import type { SeededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { cardAbroad } from "../golf/sample-cards.ts";
import { playerNumbers } from "./player-numbers.ts";
import { poisonContent, refusedContent } from "./simulated-exchange.ts";
import type { SimulatedPipeline } from "./simulated-pipeline.ts";
import type { VirtualTime } from "./virtual-time.ts";

const sample = cardAbroad();

/** What a vendor may do with cards that it has sent. */
export type Action = "correct" | "race" | "repeat" | "revert" | "withdraw" | "deliverNow";

/** What a vendor does in a day, and how often. */
export interface Habits {
  readonly actions: readonly (readonly [action: Action, weight: number])[];
  /** Share of submissions that are sent twice at once, or with two contents at once. */
  readonly haste: number;
  /** How often a submission that failed is not sent again. */
  readonly impatience: number;
  readonly maxSubmissions: number;
  readonly maxCards: number;
  readonly maxActions: number;
  /** Shares of contents that the exchange refuses, and that break it. */
  readonly refused: number;
  readonly poison: number;
  /** The longest pauses between actions, in milliseconds; one of them is picked each time. */
  readonly pauses: readonly number[];
}

interface SentCard {
  readonly externalId: string;
  readonly unionId: string;
  /** Contents that were submitted, in order. */
  readonly contents: string[];
}

/** A vendor's day: submissions side by side, of each some cards corrected, sent again or withdrawn, and watched meanwhile. */
export async function vendorDay(
  pipeline: SimulatedPipeline,
  time: VirtualTime,
  random: SeededRandom,
  apiSet: ApiSet,
  habits: Habits,
): Promise<void> {
  const body = ({ externalId, contents, unionId }: SentCard, content = contents.at(-1) ?? "") => ({
    ...sample,
    Player: { UnionID: unionId },
    ExternalID: externalId,
    Comment: content,
  });

  function addContent(card: SentCard): string {
    const nature = random.chance(habits.poison)
      ? `, ${poisonContent}`
      : random.chance(habits.refused)
        ? `, ${refusedContent}`
        : "";
    const content = `content ${card.contents.length + 1}${nature}`;
    card.contents.push(content);
    return content;
  }

  /** Sends the same until it is taken; now and then once more while the first is still under way, or not again. */
  async function submit(bodies: readonly ReturnType<typeof body>[]): Promise<void> {
    if (bodies.length === 0) return;
    for (;;) {
      const again = async () => {
        await time.sleep(random.whole(0, 3000));
        return pipeline.submit(apiSet, bodies);
      };
      const answers = await Promise.all([
        pipeline.submit(apiSet, bodies),
        ...(random.chance(habits.haste) ? [again()] : []),
      ]);
      if (answers.some((answer) => answer !== undefined) || random.chance(habits.impatience)) return;
      await time.sleep(random.whole(100, random.chance(0.2) ? 20_000 : 1500));
    }
  }

  async function withdraw({ externalId }: SentCard): Promise<void> {
    while ((await pipeline.withdraw(apiSet, externalId)) >= 500) await time.sleep(random.whole(100, 3000));
  }

  const act: Record<Action, (cards: readonly SentCard[]) => Promise<unknown>> = {
    correct: (cards) => submit(cards.map((card) => body(card, addContent(card)))),
    race: (cards) =>
      Promise.all(
        Array.from({ length: random.whole(2, 3) }, async () => {
          const bodies = cards.map((card) => body(card, addContent(card)));
          await time.sleep(random.whole(0, random.oneOf([20, 1000, 5000])));
          await submit(bodies);
        }),
      ),
    repeat: (cards) => submit(cards.map((card) => body(card))),
    revert: (cards) => submit(cards.map((card) => body(card, card.contents[0]))),
    withdraw: (cards) =>
      Promise.all([
        ...cards.slice(0, 3).map(withdraw),
        ...(random.chance(0.1) ? [time.sleep(random.whole(0, 20_000)).then(() => act.correct(cards))] : []),
      ]),
    deliverNow: (cards) =>
      Promise.all(cards.slice(0, 3).map(({ externalId }) => pipeline.deliverNow(apiSet, externalId))),
  };

  /** Asks for a while what became of cards. */
  async function watch(cards: readonly SentCard[], milliseconds: number): Promise<void> {
    const until = time.now() + milliseconds;
    const ids = cards.map(({ externalId }) => externalId);
    while (time.now() < until) {
      await pipeline.statusesOf(apiSet, ids);
      await time.sleep(random.whole(200, Math.max(5000, milliseconds / 10)));
    }
  }

  async function submission(name: string): Promise<void> {
    await time.sleep(random.whole(0, 20_000));
    const count = random.whole(1, random.chance(0.3) ? 1 : habits.maxCards);
    const cards = Array.from({ length: count }, (_, index): SentCard => {
      return { externalId: `${name}, card ${index}`, unionId: playerNumbers[index % 4] ?? "", contents: [] };
    });
    await act[random.chance(habits.haste) ? "race" : "correct"](cards);
    for (let left = random.whole(0, habits.maxActions); left > 0; left--) {
      const pause = random.whole(0, random.oneOf(habits.pauses));
      if (random.chance(0.4)) await watch(cards, pause);
      else await time.sleep(pause);
      const some = random.shuffled(cards).slice(0, Math.ceil(cards.length / 3));
      await act[random.weighted(habits.actions)](some);
    }
    await watch(cards, 1000);
  }
  const names = Array.from(
    { length: random.whole(1, habits.maxSubmissions) },
    (_, index) => `${apiSet}, submission ${index}`,
  );
  await Promise.all(names.map(submission));
}

/** A card that its vendor sends once. */
export const steadyCard = (ExternalID: string) => ({ ...sample, ExternalID, Comment: "steady" });

/**
 * Sends a new card every twenty seconds, so that posts of others show that the exchange works; one at least, so that an open breaker
 * is probed though all its cards were withdrawn.
 *
 * @param round distinguishes its cards from those of an earlier call
 */
export async function steadyVendor(
  pipeline: SimulatedPipeline,
  time: VirtualTime,
  apiSet: ApiSet,
  round: number,
  isOver: () => boolean,
): Promise<void> {
  for (let sent = 0; sent === 0 || !isOver(); sent++) {
    await pipeline.submit(apiSet, [steadyCard(`${apiSet}, steady card ${round}.${sent}`)]);
    await time.sleep(20_000);
  }
}
