import type { ScorecardTable } from "../cards/delivery/scorecard-table.ts";
import type { CardKey, StoredCard } from "../cards/life/card.ts";
import type { LaterWarning } from "../cards/life/later-warnings.ts";
import { State } from "../cards/life/states.ts";
import { unionIdKey } from "../formats/identifiers.ts";
import { keyedDigest } from "../formats/keyed-digest.ts";
import { isTimestamp, wallClock } from "../formats/union-time.ts";
import { doubtAbout, isNear, playedText } from "../golf/same-round.ts";
import type { Scorecard } from "../golf/scorecard.ts";
import type { KnownRound, RecalledPlayers } from "./known-player-table.ts";

/** A card, delivered or to be, and what it holds. */
export interface CardAsSent<Card extends CardKey = StoredCard> {
  readonly card: Card;
  readonly sent: Scorecard;
}

/**
 * Compares the rounds of delivered cards with those that are remembered of the same players, and remembers them, too.
 *
 * @param players those of the cards
 * @returns the warnings of each card that has any
 * @throws TableBatchError: some may be remembered; the same call may be made again
 */
export type CompareRounds = <Card extends CardKey>(
  cards: readonly CardAsSent<Card>[],
  players: Pick<RecalledPlayers, "roundsOf" | "rememberRounds">,
) => Promise<ReadonlyMap<Card, readonly LaterWarning[]>>;

/** One more than the most rounds of a day. */
const maxRoundsKept = 13;
/** How often rounds are remembered again if another run has remembered some meanwhile. */
const maxAttempts = 5;

/**
 * Makes the function that compares rounds. A round is one write of an item that is read anyway; only of a player who has another
 * round within a day and a half are the cards of both compared, all of a call at once.
 *
 * Of a round its start, length and card are remembered, a keyed hash of player, tee and strokes, and nothing of the person.
 *
 * @param cards to see whether a remembered card still has that round: it may have been corrected since
 */
export function roundComparison(
  hashKey: () => Promise<string>,
  cards: Pick<ScorecardTable, "read">,
): CompareRounds {
  return async <Card extends CardKey>(
    delivered: readonly CardAsSent<Card>[],
    players: Pick<RecalledPlayers, "roundsOf" | "rememberRounds">,
  ) => {
    const secret = await hashKey();
    const toPlayedRound = (card: Scorecard, player: string) => {
      const text = playedText(card);
      return text && keyedDigest(secret, "playedRound", player, text);
    };
    /** A remembered round as its card has been played by now; undefined if the card does not have it any more. */
    const asStored = (round: KnownRound, player: string, own: StoredCard | undefined) => {
      if (own === undefined || own.state === State.withdrawn) return undefined;
      const card = own.content.card() as Scorecard & Partial<Pick<Scorecard, "Player">>;
      const isSame = card.Player !== undefined && unionIdKey(card.Player.UnionID) === player;
      return isSame && startOf(card.Round) === round.start
        ? { ...round, played: toPlayedRound(card, player), card }
        : undefined;
    };
    let remaining = delivered.flatMap(({ card, sent }) => {
      const start = startOf(sent.Round);
      if (start === undefined) return [];
      const { apiSet, externalId } = card;
      const player = unionIdKey(sent.Player.UnionID);
      const { HolesPlayed: holes, TournamentRoundNumber: number } = sent.Round;
      const played = toPlayedRound(sent, player);
      const round: KnownRound = { start, holes, number, played, card: sent, apiSet, externalId };
      return [{ card, player, round }];
    });
    const warnings = new Map<Card, readonly LaterWarning[]>();
    for (let attempt = 0; remaining.length > 0 && attempt < maxAttempts; attempt++) {
      const changed = new Map<string, readonly KnownRound[]>();
      const doubtful = remaining.flatMap(({ card, player, round }) => {
        const known = changed.get(player) ?? players.roundsOf(player);
        const others = known.filter((one) => keyOf(one) !== keyOf(round));
        changed.set(player, [...others, round].slice(-maxRoundsKept));
        const near = others.filter((one) => isNear(round, one));
        return near.length === 0 ? [] : [{ card, player, round, near }];
      });
      const stored = await cards.read(doubtful.flatMap(({ near }) => near));
      const storedByKey = new Map(stored.map((card) => [keyOf(card), card]));
      for (const { card, player, round, near } of doubtful) {
        const there = near.flatMap((one) => asStored(one, player, storedByKey.get(keyOf(one))) ?? []);
        const found = doubtAbout(round, there);
        if (found === undefined) continue;
        const { doubt: code, likeness } = found;
        const other = found.other?.apiSet === card.apiSet && { other: found.other.externalId };
        warnings.set(card, [{ code, ...other, ...(likeness?.by && { likeness }) }]);
      }
      const lost = await players.rememberRounds(changed);
      remaining = remaining.filter(({ player }) => lost.has(player));
    }
    return warnings;
  };
}

const keyOf = ({ apiSet, externalId }: CardKey) => `${apiSet}#${externalId}`;

function startOf(round: Partial<Scorecard["Round"]> | undefined): number | undefined {
  const start: unknown = round?.StartTime;
  return typeof start === "string" && isTimestamp(start) ? wallClock(start) : undefined;
}
