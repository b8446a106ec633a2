import pMap from "p-map";
import type { ApiSet } from "../accounts/account.ts";
import type { ScorecardTable } from "../cards/delivery/scorecard-table.ts";
import { type CardChange, deliveredAsRead, type LaterWarning, type StoredCard } from "../cards/life/card.ts";
import { findSandboxOutcome } from "../formats/external-ids.ts";
import { doubtsOfJudgement, judgementOf, type MemberDoubt } from "../golf/member-warnings.ts";
import type { Scorecard } from "../golf/scorecard.ts";
import { type AskForPlayer, askForPlayers, type PlayerAnswers } from "./ask-for-players.ts";
import { doubtsAboutPlayers } from "./check-assessed.ts";
import type { CardAsSent, CompareRounds } from "./compare-rounds.ts";
import type { KnownPlayer, RecallPlayers } from "./known-player-table.ts";

/** The table, the union and the clock of the player check. */
export interface PlayerCheckDependencies {
  readonly table: Pick<ScorecardTable, "tryWrite">;
  readonly recall: RecallPlayers;
  /** Scores that a player's first Handicap Index takes at the union. */
  readonly scoresForHandicap: number;
  /** The Gender of a card's tee in the register; undefined if the register does not have the tee. */
  readonly teeGender?: (course: Scorecard["Course"]) => Promise<unknown>;
  /** Compares cards with the rounds that are remembered of their players; left out, they are not compared. */
  readonly compareRounds?: CompareRounds | undefined;
  /** Asks with the vendor's own account; undefined if its credentials cannot be read. */
  readonly askerOf: (apiSet: ApiSet) => Promise<AskForPlayer | undefined>;
  readonly now: () => Date;
}

/** The number of delivered cards whose player the union does not know, and of those that were not checked. */
export interface PlayerCheckCounts {
  readonly unknown: number;
  readonly unchecked: number;
}

const second = 1000;
/** Time to store what the union has answered. */
const storingReserve = 3 * second;
/** How long nobody is asked for with a vendor's account, so that a union which does not answer holds up few runs. */
const pauses = { refused: 3600 * second, unanswered: 300 * second };

interface NamedCard extends CardAsSent {
  readonly unionId: string;
}

function named(card: StoredCard): NamedCard | undefined {
  const sent = card.content.card() as Scorecard & Partial<Pick<Scorecard, "Player">>;
  const unionId: unknown = sent.Player?.UnionID;
  return typeof unionId === "string" ? { card, sent, unionId } : undefined;
}

const listPlayers = (cards: readonly NamedCard[]) => cards.map(({ unionId }) => unionId);
const listMarkers = (cards: readonly NamedCard[]) =>
  cards.flatMap(({ sent }): string[] => {
    const { UnionID } = (sent as Partial<Scorecard>).Marker ?? {};
    return typeof UnionID === "string" ? [UnionID] : [];
  });
/** Players first: there may be no time for all. */
const listUnionIds = (cards: readonly NamedCard[]) => [
  ...new Set([...listPlayers(cards), ...listMarkers(cards)]),
];

/**
 * The warnings are about this version only. Of a doubt only the code is stored: its values are a person's.
 *
 * @returns undefined if the card was told all of them when it was accepted
 */
function warningsOf(
  { card }: NamedCard,
  doubts: readonly MemberDoubt[],
  rounds: readonly LaterWarning[],
): CardChange | undefined {
  const { apiSet, externalId, content } = card;
  const told = new Set(content.warnings().map(({ code }) => code));
  const codes = doubts.flatMap(({ code, asOf }) =>
    code === "player_unknown" ? [] : [{ code, ...(asOf !== undefined && { asOf }) }],
  );
  const laterWarnings = [...codes, ...rounds].filter(({ code }) => !told.has(code));
  const playerUnknown = doubts.some(({ code }) => code === "player_unknown");
  if (!playerUnknown && laterWarnings.length === 0) return undefined;
  return {
    apiSet,
    externalId,
    expects: deliveredAsRead(card),
    set: {
      ...(playerUnknown && { playerUnknown }),
      ...(laterWarnings.length > 0 && { laterWarnings }),
    },
  };
}

/** What the union's registers are made to say of a sandbox card, without a question: also that its round is not in the player's record. */
function forcedResult(card: StoredCard, at: number): CardChange[] {
  const { apiSet, externalId } = card;
  const outcome = findSandboxOutcome(externalId);
  // A correction is in order.
  if (card.version > 1 || (outcome !== "player-unknown" && outcome !== "not-recorded")) return [];
  const set =
    outcome === "player-unknown" ? { playerUnknown: true } : { record: { at, isRecorded: false as const } };
  return [{ apiSet, externalId, expects: deliveredAsRead(card), set }];
}

/** Makes the function that asks the union with a vendor's account, and leaves an account that is refused or not answered alone. */
function createAsker(askerOf: PlayerCheckDependencies["askerOf"], now: () => Date) {
  const pausedUntil = new Map<ApiSet, number>();
  return async (apiSet: ApiSet, unionIds: readonly string[], left: () => number): Promise<PlayerAnswers> => {
    const isPaused = (pausedUntil.get(apiSet) ?? 0) > now().getTime();
    const ask = isPaused || unionIds.length === 0 ? undefined : await askerOf(apiSet);
    if (ask === undefined) return { isKnown: new Map(), members: new Map() };
    const answers = await askForPlayers(ask, unionIds, left);
    if (answers.stopped !== undefined) pausedUntil.set(apiSet, now().getTime() + pauses[answers.stopped]);
    return answers;
  };
}

/** What the union says now of a card's player and marker, and what it said of the player before. */
async function findDoubts(
  { sent, unionId }: NamedCard,
  answers: PlayerAnswers,
  remembered: KnownPlayer | undefined,
  {
    teeGender = async () => undefined,
    scoresForHandicap,
  }: Pick<PlayerCheckDependencies, "teeGender" | "scoresForHandicap">,
): Promise<MemberDoubt[]> {
  const hasGender = answers.members.has(unionId) || remembered?.judgement.gender !== undefined;
  const gender = hasGender ? await teeGender(sent.Course) : undefined;
  const doubts = doubtsAboutPlayers(sent, answers, gender, scoresForHandicap);
  if (remembered === undefined) return doubts;
  const { asOf, judgement } = remembered;
  const again = doubtsOfJudgement(judgement, gender, scoresForHandicap);
  return [...doubts, ...again.map((doubt) => ({ ...doubt, asOf }))];
}

/** The players whom the union knows, with what it said of them, to be remembered. */
const judgementsIn = (all: readonly PlayerAnswers[]) =>
  new Map(
    all.flatMap(({ isKnown, members }) =>
      [...isKnown].flatMap(([unionId, isFound]) =>
        isFound ? [[unionId, judgementOf(members.get(unionId) ?? {}, unionId)] as const] : [],
      ),
    ),
  );

/**
 * Makes the function that checks whether the union knows the players and markers of cards that were just delivered, and whether it
 * says something else of the players than the cards; and whether their rounds have been delivered before. What it finds is recorded
 * on the card. The union is not asked again within 30 days about a player whom it knew: its last answer is told again.
 *
 * @returns a function of the cards and the milliseconds left; it throws if the table fails, and may then be called again with the
 *   same cards. A card whose write alone is refused counts as not checked: it holds up no other
 */
export function createPlayerCheck(dependencies: PlayerCheckDependencies) {
  const { table, recall, compareRounds = async () => new Map(), askerOf, now } = dependencies;
  const askAs = createAsker(askerOf, now);

  return async function checkPlayers(
    delivered: readonly StoredCard[],
    remaining: () => number,
  ): Promise<PlayerCheckCounts> {
    const { forced = [], posted = [] } = Object.groupBy(delivered, ({ externalId }) =>
      findSandboxOutcome(externalId) === undefined ? "posted" : "forced",
    );
    await table.tryWrite(forced.flatMap((card) => forcedResult(card, now().getTime())));
    const cards = posted.flatMap((card) => named(card) ?? []);
    if (cards.length === 0) return { unknown: 0, unchecked: posted.length };

    const players = await recall(listUnionIds(cards));
    const left = () => remaining() - storingReserve;
    const findStrangers = (own: readonly NamedCard[]) =>
      listUnionIds(own).filter((unionId) => players.knownPlayer(unionId) === undefined);
    // One vendor after the other, so that the union gets as many questions at the same time as `askForPlayers` asks, and not that many
    // for each vendor. Those with few unknown players come first: there may be no time for all.
    const vendors = [...Map.groupBy(cards, ({ card }) => card.apiSet)]
      .map(([apiSet, own]) => ({ apiSet, own, strangers: findStrangers(own) }))
      .toSorted((one, other) => one.strangers.length - other.strangers.length);
    const answered = await pMap(
      vendors,
      async ({ apiSet, own, strangers }) => ({ own, answers: await askAs(apiSet, strangers, left) }),
      { concurrency: 1 },
    );
    await players.identify(new Map(answered.flatMap(({ answers }) => [...answers.members])));
    const rounds = await compareRounds(cards, players);

    const changes: CardChange[] = [];
    let checked = 0;
    for (const { own, answers } of answered) {
      for (const one of own) {
        const remembered = players.knownPlayer(one.unionId);
        if (remembered !== undefined || answers.isKnown.has(one.unionId)) checked++;
        const doubts = await findDoubts(one, answers, remembered, dependencies);
        const change = warningsOf(one, doubts, rounds.get(one.card) ?? []);
        if (change !== undefined) changes.push(change);
      }
    }
    const results = await table.tryWrite(changes);
    await players.remember(judgementsIn(answered.map(({ answers }) => answers)));
    const { written = [], refused = [] } = Object.groupBy(changes, (_, index) => results[index] ?? "refused");
    return {
      unknown: written.filter(({ set }) => set.playerUnknown).length,
      unchecked: posted.length - checked + refused.length,
    };
  };
}
