import * as z from "zod/mini";
import type { UnionAccount } from "./account-secrets.ts";
import { askAboutPerson, failed, type NoAnswer } from "./person-lookup.ts";

/** A round of a player's record, with the fields that the record has. */
export interface RecordedRound {
  /** Timestamp in the union's time zone; the form is not documented. */
  readonly startTime: string;
  readonly totalStrokes: number | undefined;
  readonly totalPoints: number | undefined;
  /** Score differential, times 10,000. */
  readonly differential: number | undefined;
  /** Course and slope rating of the tee, as the record tells them; absent if it tells neither. */
  readonly tee?: string | undefined;
}

/** The result of asking for a player's record. */
export type PlayerRecord =
  /** `record` is the JSON as the union sent it, an array. */
  | { readonly outcome: "found"; readonly rounds: readonly RecordedRound[]; readonly record: string }
  | NoAnswer;

/** Players' records at the union, read live; nothing is stored. */
export interface RecordRegister {
  /** Never throws. @param player their membership: the club's ID, and the UnionID there */
  playerRecord(
    account: UnionAccount,
    player: { readonly clubId: string; readonly unionId: string },
  ): Promise<PlayerRecord>;
}

/** A number, sent as a number or as text; anything else counts as absent. */
const numberSchema = z.optional(
  z.pipe(
    z.unknown(),
    z.transform((value) => {
      const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
      return typeof number === "number" && Number.isFinite(number) ? number : undefined;
    }),
  ),
);

const roundSchema = z.pipe(
  z.object({
    Round: z.object({ StartTime: z.string() }),
    Result: z.object({ TotalStrokes: numberSchema, TotalPoints: numberSchema, SGD: numberSchema }),
    Course: z.optional(z.nullable(z.object({ TeeRating: numberSchema, TeeSlope: numberSchema }))),
  }),
  z.transform(({ Round, Result, Course }): RecordedRound => {
    const { TotalStrokes, TotalPoints, SGD } = Result;
    return {
      startTime: Round.StartTime,
      totalStrokes: TotalStrokes,
      totalPoints: TotalPoints,
      differential: SGD,
      ...(Course?.TeeRating !== undefined && { tee: `${Course.TeeRating} ${Course.TeeSlope}` }),
    };
  }),
);

/**
 * Asks for players' records over HTTP, one request each, at the interface from which the union's own app reads them. Its document
 * does not describe it.
 *
 * @param apiSet the interface's own, which replaces the account's
 * @param maxMebibytes the largest record that is read, if not what is read at most of any answer
 */
export function recordRegister(
  baseAddress: string,
  apiSet: string,
  timeoutMilliseconds: number,
  maxMebibytes?: number,
): RecordRegister {
  return {
    playerRecord(account, { clubId, unionId }) {
      const path = `clubs/${encodeURIComponent(clubId)}/Memberships/Scorecards?${new URLSearchParams({ unionid: unionId })}`;
      const own = { ...account, unionApiSet: apiSet };
      return askAboutPerson(baseAddress, own, { path, timeoutMilliseconds, maxMebibytes }, read);
    },
  };
}

function read(json: unknown, text: string): PlayerRecord {
  if (json === undefined) return failed("The union's answer is not JSON.");
  if (json === null) return { outcome: "nobody" };
  if (!Array.isArray(json)) return failed("The union's answer is not a record.");
  const rounds = json.flatMap((round) => roundSchema.safeParse(round).data ?? []);
  if (rounds.length === 0 && json.length > 0) return failed("The union's answer is not a record.");
  return { outcome: "found", rounds, record: text };
}
