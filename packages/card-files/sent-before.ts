import {
  ApiError,
  CardState,
  type CardStatus,
  inParallel,
  type ScorecardsClient,
} from "@scorecard-pipeline/scorecards-client";
import { type RoundFacts, readRoundFacts } from "./base/round-facts.ts";
import { tournamentIdOf } from "./base/tournament-id.ts";
import type { SentCorrection } from "./card-fault.ts";
import type { NamedCard } from "./named-cards.ts";

/** The part of the client by which sent cards are found. */
export type SentCardsClient = Pick<ScorecardsClient, "statuses" | "tournamentCards" | "card">;

/** What is known of a card that was sent. */
export type SentStatus = Pick<CardStatus, "state" | "acceptedAt">;

/** What the pipeline has of a table's rounds. */
export interface SentBefore {
  /** The cards that are stored, by their names, and by those of the table's cards that have the same round. */
  readonly stored: ReadonlyMap<string, SentStatus>;
  /** Names of sent cards by those of the table's cards that correct them: a member number or a day was mended. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** Sent cards are looked for so many days around that of most rows. */
const daysAround = 15;
/** Sent cards that are read to be compared: those of a large tournament that an earlier version named by their rows. */
const maxCompared = 1_000;
const parallelReads = 4;

const isUnsent = ({ state }: CardStatus) => state === "unknown" || state === "refused";

/** Whether a card is delivered, or waits for it: the same content again would change nothing. */
export const isSentOn = ({ state }: SentStatus): boolean =>
  state === CardState.queued || state === CardState.retrying || state === CardState.delivered;

/** A name as it is compared: `Hjort, Frida` is Frida Hjort. */
const plainName = (name: string): string =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .toSorted()
    .join(" ");

const daysFrom = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10);

/** Days that a day may be mistyped by; beyond, the same strokes are another round. */
const maxMistypedDays = 2;

const isNear = (one: string | undefined, other: string): boolean =>
  one !== undefined && Math.abs(Date.parse(one) - Date.parse(other)) <= maxMistypedDays * 86_400_000;

interface NewCard {
  readonly externalId: string;
  readonly facts: RoundFacts;
}

/**
 * Finds what was sent before of a table's rounds: under the names of its cards, and under others in the same tournament, if the player's name is
 * the same and at most one of member number, day and strokes is not.
 *
 * @param names of all cards of the table
 */
export async function findSentBefore(
  cards: readonly NamedCard[],
  client: SentCardsClient,
  signal: AbortSignal,
  names: ReadonlySet<string>,
): Promise<SentBefore> {
  const named = cards.flatMap(({ externalId, value }) =>
    externalId === undefined ? [] : [{ externalId, facts: readRoundFacts(value) }],
  );
  if (named.length === 0) return { stored: new Map(), renamed: new Map() };
  const statuses = await client.statuses([...new Set(named.map(({ externalId }) => externalId))], { signal });
  const stored = new Map<string, SentStatus>(
    statuses.flatMap((status) => (isUnsent(status) ? [] : [[status.externalId, status] as const])),
  );
  const unsent = named.filter(({ externalId, facts }) => !stored.has(externalId) && facts.name !== undefined);
  const renamed = new Map<string, string>();
  for (const [tournament, own] of Map.groupBy(unsent, ({ facts }) => facts.tournament))
    if (tournament !== "") await findMended(tournament, own, names, client, signal, { renamed, stored });
  return { stored, renamed };
}

/** Finds the sent cards of a tournament that no card of the table is named by, and that one of them has the round of. */
async function findMended(
  tournament: string,
  cards: readonly NewCard[],
  names: ReadonlySet<string>,
  client: SentCardsClient,
  signal: AbortSignal,
  { renamed, stored }: { readonly renamed: Map<string, string>; readonly stored: Map<string, SentStatus> },
): Promise<void> {
  const days = Map.groupBy(cards, ({ facts }) => facts.day ?? "");
  days.delete("");
  // A day that is mistyped may be years away from the others, and the API lists 31 days at once.
  const [day] = [...days].toSorted((one, other) => other[1].length - one[1].length)[0] ?? [];
  if (day === undefined) return;
  const byPlayer = Map.groupBy(cards, ({ facts }) => plainName(facts.name ?? ""));
  const range = { from: daysFrom(day, -daysAround), to: daysFrom(day, daysAround) };
  const alike: {
    readonly sent: SentStatus & { readonly externalId: string };
    readonly own: readonly NewCard[];
  }[] = [];
  try {
    for await (const sent of client.tournamentCards(await tournamentIdOf(tournament), range, { signal })) {
      const ofPlayer = byPlayer.get(plainName(sent.playerName ?? "")) ?? [];
      const own = ofPlayer.filter(({ facts }) => isNear(facts.day, sent.day));
      if (own.length === 0 || names.has(sent.externalId) || sent.state === CardState.withdrawn) continue;
      alike.push({ sent, own });
    }
  } catch (error) {
    // Nothing of the tournament was sent on these days, or the account may not see it.
    if (!(error instanceof ApiError && (error.status === 404 || error.status === 403))) throw error;
  }
  const facts = new Map<string, RoundFacts>();
  const read = async ({ sent: { externalId } }: (typeof alike)[number]) => {
    const { card } = await client.card(externalId, { signal });
    facts.set(externalId, readRoundFacts(card));
  };
  for await (const _ of inParallel(alike.slice(0, maxCompared), parallelReads, read));
  for (const isSame of [hasMendedPlayerOrDay, hasMendedStrokes])
    for (const { sent, own } of alike) {
      const of = facts.get(sent.externalId);
      if (of === undefined || stored.has(sent.externalId)) continue;
      const same = own.find((one) => !renamed.has(one.externalId) && isSame(one.facts, of));
      if (same === undefined) continue;
      renamed.set(same.externalId, sent.externalId);
      for (const name of [same.externalId, sent.externalId]) stored.set(name, sent);
    }
}

const hasMendedPlayerOrDay = (one: RoundFacts, { day, player, strokes }: RoundFacts): boolean =>
  (one.day === day || one.player === player) && strokes.length > 0 && strokes.join() === one.strokes.join();

/** Whether a card is another one's round, which had another name since its player or day was mended, or since an earlier version sent it. */
const hasMendedStrokes = (one: RoundFacts, { day, player, round }: RoundFacts): boolean =>
  one.day === day && one.player === player && one.round === round;

/** What sending a card does: a round that was sent before stays, is corrected, or becomes one of another player, day or course. */
export type RowChange = "new" | "unchanged" | "corrected" | "replaced";

/** Says what sending does to a card that is stored, by what Validate says of it. */
export function changeOfCard(isStored: boolean, corrects: SentCorrection | undefined): RowChange {
  if (corrects === undefined) return isStored ? "unchanged" : "new";
  const isOther = corrects.changed.some((part) => part === "player" || part === "day" || part === "course");
  return isOther ? "replaced" : "corrected";
}

/** Rows that may make a sent card another round; a table with more of them has another order than the one that was sent. */
export const maxOtherRounds = 2;

/** Whether a row makes a sent card another round: another player's, or one of another day with other strokes. */
export const isOtherRound = ({ changed }: SentCorrection): boolean =>
  changed.includes("player") || (changed.includes("day") && changed.includes("strokes"));
