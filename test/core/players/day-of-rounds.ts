import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import pMap from "p-map";
import { expect } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { judgeCorrection } from "../../../core/cards/delivery/correction.ts";
import type { scorecardReader } from "../../../core/cards/delivery/scorecard-table.ts";
import type { StoredCard } from "../../../core/cards/life/card.ts";
import { contentOf } from "../../../core/cards/life/card-content.ts";
import { isOtherPerson } from "../../../core/formats/same-person.ts";
import { assessSubmission } from "../../../core/golf/assess.ts";
import type { Scorecard } from "../../../core/golf/scorecard.ts";
import { roundComparison } from "../../../core/players/compare-rounds.ts";
import { playerRecall } from "../../../core/players/known-player-table.ts";
import { context, minimalCard } from "../golf/sample-cards.ts";
import { pars, redId } from "../golf/sample-courses.ts";
import { storedCard } from "../memory/stored-card.ts";
import { inMemoryClient } from "./in-memory-client.ts";

const vendors = Array.from({ length: 40 }, (_, number) => `vendor-${number}` as ApiSet);
const today = "20250622";
const cardsInSubmission = 50;
/** US dollars of a million units on demand, eu-central-1. @see docs/costs.md */
const prices = { read: 0.13, write: 0.63 };

interface PlayedCard {
  readonly apiSet: ApiSet;
  readonly externalId: string;
  readonly player: string;
  /** hhmm */
  readonly at: string;
  /** Tee and strokes: cards of one round have the same. */
  readonly round: number;
  readonly isOtherTee?: boolean;
  /** Whether the player's number is that of the other of two clubs; undefined for a player of one. */
  readonly isOtherClub?: boolean;
  /** yyyymmdd */
  readonly day?: string;
  /** The person whose name is on the card, if that is not the player. */
  readonly named?: string;
  readonly version?: number;
  readonly isWithdrawn?: boolean;
}

/** Cards that belong together, in the order in which they are sent; each in a part of the day of its own unless sent together. */
interface Story {
  /** What is odd about them; `double…`, `reused…` and `two persons` are to be told. */
  readonly kind: string;
  readonly cards: readonly PlayedCard[];
  readonly isSentTogether?: boolean;
}

/** A day of stories, in any order. */
function dayOfStories(random: ReturnType<typeof seededRandom>, rounds: number): Story[] {
  const ofEach = rounds / 50;
  let players = 0;
  let cards = 0;
  const clock = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, "0")}${String(minutes % 60).padStart(2, "0")}`;
  const time = (from: number, to: number) => clock(random.whole(from * 60, to * 60));
  const earlier = (at: string, hours: number) =>
    clock(60 * Number(at.slice(0, 2)) + Number(at.slice(2)) - 60 * hours);
  const round = (more: Partial<PlayedCard> = {}): PlayedCard => ({
    apiSet: random.oneOf(vendors),
    externalId: `card-${++cards}`,
    player: `1001-${++players}`,
    round: cards,
    at: time(6, 18),
    ...more,
  });
  const again = (card: PlayedCard, more: Partial<PlayedCard>) => ({
    ...card,
    externalId: `card-${++cards}`,
    ...more,
  });
  const otherVendor = (apiSet: ApiSet) => random.oneOf(vendors.filter((other) => other !== apiSet));
  const stories = (count: number, kind: string, story: () => Omit<Story, "kind">) =>
    Array.from({ length: count }, () => ({ kind, ...story() }));

  const special: Story[] = [
    ...stories(ofEach, "double by ID", () => {
      const card = round();
      return { cards: [card, again(card, {})] };
    }),
    ...stories(ofEach, "double by vendor", () => {
      const card = round();
      return { cards: [card, again(card, { apiSet: otherVendor(card.apiSet) })] };
    }),
    ...stories(ofEach, "double by membership", () => {
      const card = round({ isOtherClub: random.chance(0.5) });
      return { cards: [card, again(card, { isOtherClub: !card.isOtherClub })] };
    }),
    ...stories(ofEach, "double by submission", () => {
      const card = round();
      return { cards: [card, again(card, {})], isSentTogether: true };
    }),
    ...stories(ofEach, "double in two time zones", () => {
      const card = round();
      const at = earlier(card.at, random.oneOf([1, 2]));
      return { cards: [card, again(card, { apiSet: otherVendor(card.apiSet), at })] };
    }),
    ...stories(ofEach, "double of the day before", () => {
      const card = round();
      return { cards: [card, again(card, { apiSet: otherVendor(card.apiSet), day: "20250621" })] };
    }),
    ...stories(ofEach, "reused ID", () => {
      const card = round();
      const { apiSet, externalId } = card;
      const day = random.oneOf([today, "20250621"]);
      return { cards: [card, round({ apiSet, externalId, day })] };
    }),
    ...stories(ofEach, "two persons", () => ({ cards: [round({ named: `1001-${players + 3}` })] })),
    ...stories(ofEach, "36 holes", () => {
      const card = round({ at: time(6, 9) });
      return { cards: [card, again(card, { at: time(11, 15), round: cards + 1 })] };
    }),
    ...stories(ofEach, "double on another tee", () => {
      const card = round({ at: time(6, 9) });
      return { cards: [card, again(card, { at: time(11, 15), isOtherTee: true })] };
    }),
    ...stories(ofEach, "rounds without tee times", () => {
      const card = round({ at: "0000" });
      return { cards: [card, again(card, { round: cards + 1 })], isSentTogether: random.chance(0.5) };
    }),
    ...stories(ofEach, "twins", () => {
      const card = round();
      return { cards: [card, round({ at: card.at, apiSet: card.apiSet })], isSentTogether: true };
    }),
    ...stories(ofEach, "shotgun", () => ({ cards: [round({ at: "1000" })] })),
    ...stories(ofEach, "correction", () => {
      const card = round();
      return { cards: [card, { ...card, at: random.chance(0.5) ? card.at : time(6, 18), version: 2 }] };
    }),
    ...stories(ofEach, "withdrawn and sent again", () => {
      const card = round();
      return { cards: [card, { ...card, version: 2, isWithdrawn: true }, again(card, {})] };
    }),
  ];
  const different = special.reduce((sum, { cards: of }) => sum + of.length, 0);
  return random.shuffled([...special, ...stories(rounds - different, "round", () => ({ cards: [round()] }))]);
}

/** The submissions of each part of the day: the first cards of all stories, then the second ones, and so on. */
function submissionsOf(stories: readonly Story[]): PlayedCard[][][] {
  const parts = [0, 1, 2].map((place) =>
    stories.map(({ cards, isSentTogether }) => {
      if (isSentTogether) return place === 0 ? cards : [];
      return cards.slice(place, place + 1);
    }),
  );
  return parts.map((part) =>
    vendors.flatMap((apiSet) => {
      const submissions: PlayedCard[][] = [[]];
      for (const cards of part) {
        if (cards[0]?.apiSet !== apiSet) continue;
        const last = submissions.at(-1);
        if (last === undefined || last.length >= cardsInSubmission) submissions.push([...cards]);
        else last.push(...cards);
      }
      return submissions;
    }),
  );
}

const firsts = ["Søren", "Åse", "Anne-Marie", "Hans Christian", "Zoë", "Per", "Mette"];
const lasts = ["Ærø", "Nielsen", "Østergaard", "von Bülow", "O'Neil", "Hansen", "Łukasz", "Kjær"];

/** A player as the union has one; people with numbers near each other have no name in common. */
function memberOf(player: string) {
  const number = Number(player.slice(5));
  const [FirstName = "", LastName = ""] = [firsts[number % firsts.length], lasts[number % lasts.length]];
  return { FirstName, LastName };
}

const toUnionId = ({ player, isOtherClub }: PlayedCard) => (isOtherClub ? `2${player}` : player);

const sentCard = (card: PlayedCard) => {
  const { externalId, at, round, isOtherTee = false, day = today, named } = card;
  const { FirstName, LastName } = memberOf(named ?? card.player);
  const FullName = round % 2 === 0 ? `${FirstName} ${LastName}` : `${LastName}, ${FirstName.toUpperCase()}`;
  const sample = minimalCard({ ExternalID: externalId, Player: { UnionID: toUnionId(card), FullName } });
  const strokes = seededRandom(round, "strokes");
  const Strokes = pars.map((par) => par + strokes.whole(0, 3));
  return {
    ...sample,
    ...(isOtherTee && { CourseHandicap: 12 }),
    Course: { ...sample.Course, ...(isOtherTee && { TeeID: redId }) },
    Result: { ...sample.Result, Strokes },
    Round: { ...sample.Round, StartTime: `${day}T${at}00` },
  };
};

/**
 * Plays a day, and expects that every double, reused ExternalID and card of two persons is told, and nothing else.
 *
 * @returns US dollars that the comparison of a million cards costs
 */
export async function playDayOfRounds(seed: number, rounds: number): Promise<number> {
  const stories = dayOfStories(seededRandom(seed, "day of rounds"), rounds);
  const { client, units } = inMemoryClient();
  const stored = new Map<string, StoredCard>();
  const keyOf = (apiSet: string, externalId: string) => `${apiSet} ${externalId}`;
  const reader: Pick<ReturnType<typeof scorecardReader>, "read"> = {
    async read(keys) {
      units.reads += keys.length;
      return keys.flatMap(({ apiSet, externalId }) => stored.get(keyOf(apiSet, externalId)) ?? []);
    },
  };
  const hashKey = async () => "secret";
  const recall = playerRecall("cards", client, hashKey, () => new Date(0));
  const compare = roundComparison(reader);
  const toldOfPlayer = new Set<string>();
  const toldAtOnce = new Set<string>();
  const toldLater = new Set<string>();
  const refused = new Set<string>();
  let compared = 0;

  async function submitAndDeliver(cards: readonly PlayedCard[]): Promise<void> {
    const accepted = cards.filter(({ isWithdrawn }) => !isWithdrawn);
    const assessments = assessSubmission(accepted.map(sentCard), context());
    for (const assessment of assessments) {
      if (!assessment.good) throw new Error(JSON.stringify(assessment.faults));
      if (assessment.warnings.some(({ code }) => code.startsWith("round")))
        toldAtOnce.add(assessment.externalId);
    }
    for (const [index, one] of accepted.entries()) {
      const { apiSet, externalId, player } = one;
      const content = contentOf(sentCard(one));
      const compared = { index, externalId, contentHash: "other", content };
      const { fault, warning } = judgeCorrection(compared, stored.get(keyOf(apiSet, externalId)), false);
      if (fault !== undefined) refused.add(externalId);
      if (fault ?? warning) toldOfPlayer.add(externalId);
      if (isOtherPerson(sentCard(one).Player, memberOf(player))) toldOfPlayer.add(externalId);
    }
    const delivered = cards.flatMap((card) => {
      const { apiSet, externalId, version = 1, isWithdrawn } = card;
      if (refused.has(externalId)) return [];
      const sent = sentCard(card);
      const state = isWithdrawn ? "withdrawn" : "delivered";
      const one = storedCard(externalId, { apiSet, version, state, content: contentOf(sent) });
      stored.set(keyOf(apiSet, externalId), one);
      return isWithdrawn ? [] : [{ card: one, sent: sent as unknown as Scorecard }];
    });
    compared += delivered.length;
    const players = await recall(delivered.map(({ sent }) => sent.Player.UnionID));
    const members = cards.map((card) => {
      const Memberships = card.isOtherClub === undefined ? [{}] : [{}, {}];
      return [toUnionId(card), { LifeTimeID: card.player, Memberships }] as const;
    });
    await players.identify(new Map(members));
    for (const { externalId } of (await compare(delivered, players)).keys()) toldLater.add(externalId);
  }
  // The parts of the day follow each other; the submissions of a part are delivered side by side.
  for (const submissions of submissionsOf(stories)) {
    await pMap(submissions, submitAndDeliver, { concurrency: 4 });
  }

  expect(stories.flatMap(({ cards }) => cards)).toHaveLength(rounds);
  const told = new Set([...toldAtOnce, ...toldLater, ...toldOfPlayer]);
  const isDouble = ({ kind }: Story) => /^double|reused|persons/.test(kind);
  const toldIn = ({ cards }: Story) =>
    new Set(cards.map(({ externalId }) => externalId)).intersection(told).size;
  expect(stories.filter((story) => isDouble(story) && toldIn(story) !== 1)).toEqual([]);
  expect(stories.filter((story) => !isDouble(story) && toldIn(story) > 0)).toEqual([]);
  expect(toldAtOnce.size).toBe(rounds / 50);
  expect(toldLater.size).toBe((7 * rounds) / 50);
  expect(toldOfPlayer.size).toBe((2 * rounds) / 50);
  const reused = stories.filter(({ kind }) => kind === "reused ID").map(({ cards }) => cards[0]?.externalId);
  expect([...refused].filter((externalId) => !reused.includes(externalId))).toEqual([]);
  return (units.reads * prices.read + units.writes * prices.write) / compared;
}
