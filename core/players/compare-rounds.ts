import { hash } from "node:crypto";
import type { ScorecardTable } from "../cards/delivery/scorecard-table.ts";
import type { CardKey, LaterWarning, StoredCard } from "../cards/life/card.ts";
import { State } from "../cards/life/states.ts";
import { guidKey } from "../formats/identifiers.ts";
import { isTimestamp, wallClock } from "../formats/union-time.ts";
import { doubtAbout, hasSameId, isNear, playedText } from "../golf/same-round.ts";
import type { Scorecard } from "../golf/scorecard.ts";
import type { KnownRound, RecalledPlayers, RecalledRounds } from "./known-player-table.ts";

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
  players: RecalledRounds & Pick<RecalledPlayers, "rememberRounds">,
) => Promise<ReadonlyMap<Card, readonly LaterWarning[]>>;

/** One more than the most rounds of a day. */
const maxRoundsKept = 13;
/** How often rounds are remembered again if another run has remembered some meanwhile. */
const maxAttempts = 5;

/** The round of a card; undefined if it has no start. */
export function toKnownRound(card: CardKey, sent: Scorecard, membership: string): KnownRound | undefined {
  const start = startOf(sent.Round);
  if (start === undefined) return undefined;
  const { apiSet, externalId } = card;
  const { HolesPlayed: holes, TournamentRoundNumber: number } = sent.Round;
  const id = sent.ID && hash("sha256", guidKey(sent.ID), "base64url").slice(0, 6);
  return {
    ...{ start, holes, number, id, apiSet, externalId, membership },
    ...{ played: playedText(sent), card: sent },
  };
}

/**
 * Makes the function that compares rounds. A round is one write of an item that is read anyway; only of a player who has another
 * round within a day and a half, or with the same ID, are the cards of both compared, all of a call at once.
 *
 * Of a round its start, length and card are remembered, hashes of its ID and of the UnionID, and nothing else of the person.
 *
 * @param cards to see whether a remembered card still has that round: it may have been corrected since
 */
export function roundComparison(cards: Pick<ScorecardTable, "read">): CompareRounds {
  return async (delivered, players) => {
    /** A remembered round as its card has been played by now; undefined if the card does not have it any more. */
    const asStored = (round: KnownRound, person: string, own: StoredCard | undefined) => {
      if (own === undefined || own.state === State.withdrawn) return undefined;
      const card = own.content.card() as Scorecard & Partial<Pick<Scorecard, "Player">>;
      if (card.Player === undefined || startOf(card.Round) !== round.start) return undefined;
      const found = players.findPerson(card.Player.UnionID);
      const isSame = found.person === person || found.membership === round.membership;
      return isSame ? { ...round, played: playedText(card), card } : undefined;
    };
    let remaining = delivered.flatMap(({ card, sent }) => {
      const { person, membership } = players.findPerson(sent.Player.UnionID);
      const round = toKnownRound(card, sent, membership);
      return round === undefined ? [] : [{ card, person, round }];
    });
    const warnings = new Map<(typeof delivered)[number]["card"], readonly LaterWarning[]>();
    for (let attempt = 0; remaining.length > 0 && attempt < maxAttempts; attempt++) {
      const changed = new Map<string, readonly KnownRound[]>();
      const doubtful = remaining.flatMap(({ card, person, round }) => {
        const known = changed.get(person) ?? players.roundsOf(person);
        const others = known.filter((one) => keyOf(one) !== keyOf(round));
        changed.set(person, [...others, round].slice(-maxRoundsKept));
        const alike = others.filter((one) => isNear(round, one) || hasSameId(round, one));
        return alike.length === 0 ? [] : [{ card, person, round, alike }];
      });
      const stored = await cards.read(doubtful.flatMap(({ alike }) => alike));
      const storedByKey = new Map(stored.map((card) => [keyOf(card), card]));
      for (const { card, person, round, alike } of doubtful) {
        const there = alike.flatMap((one) => asStored(one, person, storedByKey.get(keyOf(one))) ?? []);
        const found = doubtAbout(round, there);
        if (found === undefined) continue;
        const { doubt: code, likeness } = found;
        const other = found.other?.apiSet === card.apiSet && { other: found.other.externalId };
        warnings.set(card, [{ code, ...other, ...(likeness?.by && { likeness }) }]);
      }
      const lost = await players.rememberRounds(changed);
      remaining = remaining.filter(({ person }) => lost.has(person));
    }
    return warnings;
  };
}

const keyOf = ({ apiSet, externalId }: CardKey) => `${apiSet}#${externalId}`;

function startOf(round: Partial<Scorecard["Round"]> | undefined): number | undefined {
  const start: unknown = round?.StartTime;
  return typeof start === "string" && isTimestamp(start) ? wallClock(start) : undefined;
}
