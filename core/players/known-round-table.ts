import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { batchGet, conditionalWrites, type Item, number } from "../aws/batch.ts";
import type { CardKey, StoredCard } from "../cards/card.ts";
import { State } from "../cards/life/states.ts";
import type { ScorecardTable } from "../cards/scorecard-table.ts";
import { unionIdKey } from "../formats/identifiers.ts";
import { keyedDigest } from "../formats/keyed-digest.ts";
import { isTimestamp, timestampOf, wallClock } from "../formats/union-time.ts";
import type { LaterWarning } from "../golf/later-warnings.ts";
import { doubtAbout, hasStart, playedText, type StartedRound } from "../golf/same-round.ts";
import type { Scorecard } from "../golf/scorecard.ts";

/** A delivered card, and what it holds. */
export interface DeliveredCard {
  readonly card: StoredCard;
  readonly sent: Scorecard;
}

/**
 * Compares the rounds of delivered cards with those of the same players on the same days, and remembers them.
 *
 * @returns the warnings of each card that has any
 * @throws TableBatchError: some may be remembered; the same call may be made again
 */
export type CompareRounds = (
  cards: readonly DeliveredCard[],
) => Promise<ReadonlyMap<StoredCard, readonly LaterWarning[]>>;

/** A round of a player's day as it is stored. */
interface KnownRound extends StartedRound, CardKey {}

interface Day {
  readonly id: string;
  /** The item's own value, which must not have changed when it is written; undefined if there is no item. */
  readonly stored: string | undefined;
  readonly rounds: readonly KnownRound[];
}

const rememberedSeconds = 30 * 86_400;
const hour = 3_600_000;
/** A card of one round may be of the day before or after, if it starts so near to midnight that a time zone moves it there. */
const nearMidnight = 6 * hour;
/** Enough of a hash to tell the rounds of a player apart. */
const digestLength = 11;
/** More than anybody plays: an item stays below one write unit. */
const maxRoundsKept = 12;
/** The insert, and how often an item is read and written again if it was written in between. */
const maxAttempts = 5;

/**
 * Remembers the rounds of a player's day in the table of cards: one item, which expires after 30 days. The day's first round costs
 * one write unit. A later one costs two, of which the first finds the item, and reads the item and the cards that it may repeat.
 * The day before or after is read, too, for a round that starts near midnight: one at noon is compared with its own day only.
 *
 * The item's key is a keyed hash of player and day, as that of a known player is. Its rounds have start, length and card, a keyed
 * hash of player, tee and strokes, and nothing of the person.
 *
 * @param cards to see whether a remembered card still has that round: it may have been corrected since
 */
export function roundComparison(
  table: string,
  client: DynamoDBClient,
  hashKey: () => Promise<string>,
  cards: Pick<ScorecardTable, "read">,
  now: () => Date,
): CompareRounds {
  const keyOf = (id: string): Item => ({ id: { S: id } });

  async function readDays(ids: readonly string[]): Promise<Map<string, Day>> {
    const items = await batchGet(client, table, ids.map(keyOf));
    const stored = new Map(items.map((item) => [item.id?.S, item.rounds?.S]));
    return new Map(
      ids.map((id) => {
        const text = stored.get(id);
        return [
          id,
          { id, stored: text, rounds: text === undefined ? [] : (JSON.parse(text) as KnownRound[]) },
        ];
      }),
    );
  }

  /** Those of remembered rounds whose cards have them still, as their cards have been played by now. */
  async function stillThere(
    rounds: readonly KnownRound[],
    player: string,
    playedOf: (card: Scorecard, player: string) => string | undefined,
  ): Promise<KnownRound[]> {
    const found = await cards.read(rounds);
    return rounds.flatMap((round) => {
      const own = found.find((card) => isSameCard(card, round));
      if (own === undefined || own.state === State.withdrawn) return [];
      const card = own.content.card() as Scorecard & Partial<Pick<Scorecard, "Player">>;
      const isSame = card.Player !== undefined && unionIdKey(card.Player.UnionID) === player;
      return isSame && startOf(card.Round) === round.start
        ? [{ ...round, played: playedOf(card, player) }]
        : [];
    });
  }

  return async (delivered) => {
    const secret = await hashKey();
    const dayId = (player: string, start: number) =>
      keyedDigest(secret, "knownRounds", player, timestampOf(start).slice(0, 8));
    const playedOf = (card: Scorecard, player: string) => {
      const text = playedText(card);
      return text && keyedDigest(secret, "knownRounds", player, text).slice(-digestLength);
    };
    let remaining = delivered.flatMap(({ card, sent }) => {
      const start = startOf(sent.Round);
      if (start === undefined) return [];
      const { apiSet, externalId } = card;
      const player = unionIdKey(sent.Player.UnionID);
      const { HolesPlayed: holes, TournamentRoundNumber: number } = sent.Round;
      const played = playedOf(sent, player);
      const round: KnownRound = { start, holes, number, played, apiSet, externalId };
      const id = dayId(player, start);
      const times = hasStart(round) ? [start - nearMidnight, start + nearMidnight] : [];
      const nextTo = times.map((time) => dayId(player, time)).filter((other) => other !== id);
      return [{ card, player, id, round, nextTo }];
    });
    const near = await readDays([...new Set(remaining.flatMap(({ nextTo }) => nextTo))]);
    const warnings = new Map<StoredCard, readonly LaterWarning[]>();
    for (let attempt = 0; remaining.length > 0 && attempt < maxAttempts; attempt++) {
      // Nearly all players have one round a day, so a lost insert now and then costs less than a read for each.
      const days =
        attempt === 0 ? new Map<string, Day>() : await readDays([...new Set(remaining.map(({ id }) => id))]);
      const changed = new Map<string, KnownRound[]>();
      for (const { card, player, id, round, nextTo } of remaining) {
        const roundsOn = (one: string) =>
          changed.get(one) ?? days.get(one)?.rounds ?? near.get(one)?.rounds ?? [];
        const others = roundsOn(id).filter((one) => !isSameCard(one, round));
        const compared = [...others, ...nextTo.flatMap(roundsOn)].filter((one) => !isSameCard(one, round));
        const isDoubtful = compared.length > 0 && doubtAbout(round, compared) !== undefined;
        const found = isDoubtful
          ? doubtAbout(round, await stillThere(compared, player, playedOf))
          : undefined;
        if (found !== undefined) {
          const { doubt: code, likeness } = found;
          const other = found.other?.apiSet === card.apiSet && { other: found.other.externalId };
          warnings.set(card, [{ code, ...other, ...(likeness?.by && { likeness }) }]);
        }
        changed.set(id, [...others, round].slice(-maxRoundsKept - 1));
      }
      const writes = [...changed].flatMap(([id, rounds]) => {
        const stored = days.get(id)?.stored;
        const text = JSON.stringify(rounds);
        if (text === stored) return [];
        const expiresAt = number(Math.floor(now().getTime() / 1000) + rememberedSeconds);
        const expects = stored === undefined ? undefined : { rounds: [{ S: stored }] };
        return [{ id, write: { key: keyOf(id), expects, set: { rounds: { S: text }, expiresAt } } }];
      });
      const results = await conditionalWrites(
        client,
        table,
        writes.map(({ write }) => write),
      );
      const lost = new Set(writes.flatMap(({ id }, index) => (results[index] === "lost" ? [id] : [])));
      remaining = remaining.filter(({ id }) => lost.has(id));
    }
    return warnings;
  };
}

const isSameCard = (one: CardKey, other: CardKey) =>
  one.apiSet === other.apiSet && one.externalId === other.externalId;

function startOf(round: Partial<Scorecard["Round"]> | undefined): number | undefined {
  const start: unknown = round?.StartTime;
  return typeof start === "string" && isTimestamp(start) ? wallClock(start) : undefined;
}
