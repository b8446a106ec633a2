import type { ApiSet } from "../../../core/account/api-set.ts";
import type { SeededRandom } from "../../../stand-in/seeded-random.ts";
import { cardAbroad } from "../scorecard/sample-cards.ts";
import type { SimulatedPipeline } from "./simulated-pipeline.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** What a vendor knows of a card it has sent. */
export interface SentCard {
  readonly apiSet: ApiSet;
  readonly externalId: string;
  /** Each content as it was answered with 201, in order; the last one is to be delivered. */
  readonly accepted: string[];
  /** When its withdrawal was answered 204, in milliseconds since 1970; absent where it was sent again since. */
  withdrawnAt?: number | undefined;
  /** What the vendor was told though it had been told otherwise, and had asked for nothing between. */
  readonly contradictions: string[];
}

/** States that a card stays in as long as nothing is sent. */
const lasting: readonly string[] = ["delivered", "rejected", "withdrawn"];

/** What a vendor does with its cards. */
export function simulatedVendor(
  pipeline: SimulatedPipeline,
  time: VirtualTime,
  random: SeededRandom,
  apiSet: ApiSet,
) {
  const idsOf = (cards: readonly SentCard[]) => cards.map(({ externalId }) => externalId);
  const content = ({ externalId }: SentCard, version: number) => ({
    ...cardAbroad(),
    ExternalID: externalId,
    Comment: `version ${version}`,
  });

  /** Sends the same until it is taken; now and then once more while the first is still under way. */
  async function taken(bodies: readonly object[]): Promise<readonly string[]> {
    for (;;) {
      const again = async () => {
        await time.sleep(random.whole(0, 3000));
        return pipeline.submit(apiSet, bodies);
      };
      const answers = await Promise.all([
        pipeline.submit(apiSet, bodies),
        ...(random.chance(0.1) ? [again()] : []),
      ]);
      const answer = answers.find((one) => one !== undefined);
      if (answer !== undefined) return answer;
      await time.sleep(random.whole(100, random.chance(0.2) ? 20_000 : 1500));
    }
  }

  /** Sends the next content of each. */
  async function send(cards: readonly SentCard[]): Promise<void> {
    const answers = await taken(cards.map((card) => content(card, card.accepted.length + 1)));
    for (const [index, card] of cards.entries()) {
      card.accepted.push(answers[index] ?? "");
      card.withdrawnAt = undefined;
    }
  }

  /** Sends the present content of each again: of those that are not withdrawn, that changes nothing. */
  async function repeat(cards: readonly SentCard[]): Promise<void> {
    const standing = cards.filter(({ withdrawnAt }) => withdrawnAt === undefined);
    if (standing.length === 0) return;
    const answers = await taken(standing.map((card) => content(card, card.accepted.length)));
    for (const [index, { accepted, contradictions }] of standing.entries()) {
      if (answers[index] !== accepted.at(-1)) contradictions.push("sent again, it was answered differently");
    }
  }

  async function withdraw(card: SentCard): Promise<void> {
    for (;;) {
      const status = await pipeline.withdraw(apiSet, card.externalId);
      if (status === 204) card.withdrawnAt = time.now();
      if (status < 500) return;
      await time.sleep(random.whole(100, 3000));
    }
  }

  /** Asks for a while what became of cards. */
  async function watch(cards: readonly SentCard[], milliseconds: number): Promise<void> {
    const until = time.now() + milliseconds;
    const known = new Map<string, string>();
    while (time.now() < until) {
      for (const [index, { externalId, state }] of (
        await pipeline.statusesOf(apiSet, idsOf(cards))
      ).entries()) {
        const before = known.get(externalId) ?? state;
        if (state === "unknown" || (lasting.includes(before) && state !== before)) {
          cards[index]?.contradictions.push(`it was ${before}, then ${state}`);
        }
        known.set(externalId, state);
      }
      await time.sleep(random.whole(200, 5000));
    }
  }

  return { send, repeat, withdraw, watch };
}

/** A vendor's day: submissions side by side, of each some cards corrected, sent again or withdrawn, and watched meanwhile. */
export async function vendorDay(
  pipeline: SimulatedPipeline,
  time: VirtualTime,
  random: SeededRandom,
  apiSet: ApiSet,
): Promise<readonly SentCard[]> {
  const { send, repeat, withdraw, watch } = simulatedVendor(pipeline, time, random, apiSet);

  async function submission(name: string): Promise<readonly SentCard[]> {
    await time.sleep(random.whole(0, 20_000));
    const newCards = (most: number, what: string) =>
      Array.from({ length: random.whole(1, most) }, (_, index): SentCard => {
        return { apiSet, externalId: `${name}, ${what} ${index}`, accepted: [], contradictions: [] };
      });
    const cards = newCards(random.chance(0.2) ? 1 : 24, "card");
    await send(cards);
    for (let change = random.whole(0, 4); change > 0; change--) {
      const pause = random.whole(0, random.oneOf([3000, 40_000, 400_000]));
      if (random.chance(0.5)) await watch(cards, pause);
      else await time.sleep(pause);
      const some = random.shuffled(cards).slice(0, Math.ceil(cards.length / 3));
      const added = random.chance(0.2) ? newCards(12, `later ${change}`) : [];
      const kind = random.oneOf(["correct", "correct", "repeat", "withdraw"] as const);
      if (kind === "correct") await send([...some, ...added]);
      else if (kind === "repeat") await repeat(random.chance(0.5) ? cards : some);
      else await Promise.all(some.slice(0, 3).map(withdraw));
      if (kind === "correct") cards.push(...added);
    }
    await watch(cards, 1000);
    return cards;
  }
  const names = Array.from({ length: random.whole(1, 3) }, (_, index) => `${apiSet} submission ${index}`);
  return (await Promise.all(names.map(submission))).flat();
}
