import type { CardKey } from "../cards/life/card.ts";
import type { CardRound } from "../cards/life/card-content.ts";
import type { RecordedRound } from "../union/record-register.ts";

/** The digits of a time to the second. The record's form of a time is not documented: `20260704T093000` and ISO 8601 are read alike. */
const digitsOf = (time: string) => time.replaceAll(/\D/g, "").padEnd(14, "0").slice(0, 14);

/** Whether a total that the record may leave out is the card's. */
const isAlike = (recorded: number | undefined, own: number) => recorded === undefined || recorded === own;

/**
 * The rounds of a player's record that may be a card's.
 *
 * @returns those with its StartTime and totals; `otherTotals` if there are only others at its StartTime
 */
function roundsLike(
  { startTime, totalStrokes, totalPoints }: CardRound,
  record: readonly RecordedRound[],
): RecordedRound[] | "otherTotals" {
  const began = digitsOf(startTime);
  const rounds = record.filter((round) => digitsOf(round.startTime) === began);
  const alike = rounds.filter(
    (round) => isAlike(round.totalStrokes, totalStrokes) && isAlike(round.totalPoints, totalPoints),
  );
  return alike.length === 0 && rounds.length > 0 ? "otherTotals" : alike;
}

/** A row of a player's record that was taken as a card's. A record has no ExternalIDs, so each row is used for one card only. */
export interface ClaimedRow {
  /** The card, by `claimedCard`. */
  readonly card: string;
  /** Identity of the row: tee, totals and differential. */
  readonly row: string;
}

/** The name of a card in a claim. */
export const claimedCard = ({ apiSet, externalId }: CardKey): string => JSON.stringify([apiSet, externalId]);

/** The ExternalID in the name of a card. */
export const claimedExternalId = (card: string): string => (JSON.parse(card) as [string, string])[1];

/** Identity of a row among those of one player at one StartTime. */
export const rowIdentity = ({ tee, totalStrokes, totalPoints, differential }: RecordedRound): string =>
  JSON.stringify([tee ?? null, totalStrokes ?? null, totalPoints ?? null, differential ?? null]);

/** The player and the StartTime of a round, whose rows are counted together. */
export const roundIdentity = ({ unionId, lifeTimeId, startTime }: CardRound): string =>
  JSON.stringify([unionId ?? lifeTimeId, digitsOf(startTime)]);

/** Removes one row for each claim: the one that was claimed or, if its differential was calculated again since, any other. */
function withoutClaimed(rows: readonly RecordedRound[], claims: readonly ClaimedRow[]): RecordedRound[] {
  const left = [...rows];
  const changed = claims.filter(({ row }) => {
    const place = left.findIndex((one) => rowIdentity(one) === row);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
  left.splice(0, changed.length);
  return left;
}

/**
 * The row of a player's record that is a card's.
 *
 * @param claims of all cards with the same player and StartTime
 * @returns the row; `otherTotals` if there are only rows with other totals at the card's StartTime; undefined if there is none, or
 *   if each is another card's
 */
export function rowOf(
  card: string,
  round: CardRound,
  record: readonly RecordedRound[],
  claims: readonly ClaimedRow[],
): RecordedRound | "otherTotals" | undefined {
  const alike = roundsLike(round, record);
  if (typeof alike === "string") return alike;
  // A claim of other totals is for a row that is not among these.
  const others = claims.filter((claim) => claim.card !== card && isAmong(claim, alike));
  const own = claims.find((claim) => claim.card === card);
  const free = withoutClaimed(alike, others);
  return free.find((row) => rowIdentity(row) === own?.row) ?? free[0];
}

/** Whether a claim is for one of some rows, whatever their differentials are now. */
function isAmong({ row }: ClaimedRow, rows: readonly RecordedRound[]): boolean {
  const [, strokes, points] = JSON.parse(row) as unknown[];
  return rows.some(
    ({ totalStrokes = null, totalPoints = null }) => totalStrokes === strokes && totalPoints === points,
  );
}
