import type { ApiSet } from "../accounts/account.ts";
import type { ScorecardTable } from "../cards/delivery/scorecard-table.ts";
import { laterFinding, type StoredCard } from "../cards/life/card.ts";
import { isFinal } from "../cards/life/states.ts";
import type { Assessment } from "../golf/assess.ts";
import { orUnavailable } from "../golf/refusal.ts";
import type { Scorecard } from "../golf/scorecard.ts";
import { roundsIn, tournamentOf } from "../views/tournament.ts";
import type { TournamentReader } from "../views/tournament-table.ts";
import { type CompareRounds, toKnownRound } from "./compare-rounds.ts";
import type { RecalledRounds, RecallRounds } from "./known-player-table.ts";

/** What rounds are found by that were sent before. */
export interface SeenRounds {
  readonly recall: RecallRounds;
  readonly compareRounds: CompareRounds;
  readonly tournaments: Pick<TournamentReader, "tournament" | "cards">;
  readonly cards: Pick<ScorecardTable, "read">;
}

/** Days of tournaments that one request is compared with, and cards of each; a table has few. */
const most = { days: 4, cards: 1_000 } as const;

/** The cards that wait for delivery in the tournaments of other cards: of their rounds nothing is remembered yet. */
async function readWaiting(
  others: readonly Scorecard[],
  apiSet: ApiSet,
  { tournaments, cards }: SeenRounds,
): Promise<readonly StoredCard[]> {
  const named = others.flatMap((sent) => tournamentOf(sent) ?? []);
  const days = new Map(named.map((one) => [`${one.id} ${one.day}`, one]));
  const listWaiting = async ({ id, day }: (typeof named)[number]) => {
    const [counted] = await tournaments.tournament(apiSet, id, [day]);
    const isWaited = roundsIn(counted?.counts ?? {}).some(({ waiting }) => waiting > 0);
    return isWaited ? (await tournaments.cards(apiSet, id, [day], most.cards)).entries : [];
  };
  const listed = (await Promise.all([...days.values()].slice(0, most.days).map(listWaiting))).flat();
  const own = new Set<string>(others.map(({ ExternalID }) => ExternalID));
  const names = new Set(listed.flatMap(({ externalId }) => (own.has(externalId) ? [] : [externalId])));
  const stored = await cards.read([...names].map((externalId) => ({ apiSet, externalId })));
  return stored.filter(({ state }) => !isFinal(state));
}

/**
 * Warns of valid cards whose rounds were sent before under another ExternalID: delivered, of any vendor, or the vendor's own of the same
 * tournament that wait. Nothing is remembered of them.
 *
 * @param members what the union says of the players, by UnionID
 * @throws RefusalError `unavailable` if the table cannot be read
 */
export async function warnOfSeenRounds(
  assessments: readonly Assessment[],
  members: Parameters<RecalledRounds["identify"]>[0],
  apiSet: ApiSet,
  seen: SeenRounds,
): Promise<readonly Assessment[]> {
  const cards = assessments.flatMap((one) =>
    one.good ? [{ card: { apiSet, externalId: one.externalId, index: one.index }, sent: one.card }] : [],
  );
  const compare = async () => {
    const [players, waiting] = await Promise.all([
      seen.recall(cards.map(({ sent }) => sent.Player.UnionID)),
      readWaiting(
        cards.map(({ sent }) => sent),
        apiSet,
        seen,
      ),
    ]);
    await players.identify(members);
    const rounds = waiting.flatMap((card) => {
      const sent = card.content.card() as Scorecard;
      const { person, membership } = players.findPerson(sent.Player?.UnionID ?? "");
      return { person, round: toKnownRound(card, sent, membership) };
    });
    const roundsOf = (person: string) => [
      ...players.roundsOf(person),
      ...rounds.flatMap((one) => (one.person === person ? (one.round ?? []) : [])),
    ];
    return await seen.compareRounds(cards, { ...players, roundsOf, rememberRounds: async () => new Set() });
  };
  const found = await orUnavailable("The rounds that were sent before could not be read.", compare());
  const byIndex = new Map([...found].map(([{ index }, warnings]) => [index, warnings]));
  return assessments.map((assessment) => {
    const { index, externalId, warnings } = assessment;
    const told = new Set(warnings.map(({ code }) => code));
    const more = (byIndex.get(index) ?? [])
      .filter(({ code }) => !told.has(code))
      .map((warning) => ({ ...laterFinding(externalId ?? "", warning), index }));
    return more.length === 0 ? assessment : { ...assessment, warnings: [...warnings, ...more] };
  });
}
