import type { ScorecardsClient } from "@scorecard-pipeline/scorecards-client";
import { State } from "../cards/life/states.ts";
import { dayMilliseconds } from "../formats/days.ts";
import { dayOf, isTimestamp, timestampOf, wallClock, wallClockAt } from "../formats/union-time.ts";
import { type PlayableTee, playableTees } from "./playable-tee.ts";

/** A course and tee for the round, as the API returns them. */
export interface CourseToPlay {
  readonly clubId: string;
  /** Official number of the club. */
  readonly unionNumber: number;
  readonly versionId: string;
  readonly tee: PlayableTee;
}

const maxClubs = 100;
/** A course that has been in force for so long was in force on the day of the round, whatever its time zone. */
const minMillisecondsInForce = 3 * dayMilliseconds;

/**
 * Finds a course of 18 holes that has been in force for some days, in the API's clubs and courses.
 *
 * @param timeZone the union's, an IANA name
 * @throws Error if none of the first hundred clubs has one
 */
export async function courseToPlay(
  client: Pick<ScorecardsClient, "clubs" | "courses">,
  now: Date,
  timeZone: string,
  signal: AbortSignal,
): Promise<CourseToPlay> {
  const inforce = timestampOf(wallClockAt(now.getTime(), timeZone));
  const clubs = await client.clubs({ signal });
  for (const { ID, UnionNumber } of clubs.slice(0, maxClubs)) {
    const versions = await client.courses(ID, { active: true, inforce }, { signal });
    for (const version of versions) {
      const [tee] = playableTees(version);
      // The union gives the time of activation in UTC.
      const { ActivationDate } = version;
      const since = isTimestamp(ActivationDate) ? wallClock(ActivationDate) : Number.NaN;
      if (tee === undefined || !(since <= now.getTime() - minMillisecondsInForce)) continue;
      return { clubId: ID, unionNumber: UnionNumber, versionId: version.ID, tee };
    }
  }
  throw new Error(
    `None of the first ${Math.min(clubs.length, maxClubs)} clubs has a course of 18 holes in force. Check that the mirror is filled.`,
  );
}

/** The fault code of the bad card. */
const expectedFault = "strokes_count";

/** Options of {@link smokeTest}. */
export interface SmokeTestOptions {
  readonly course: CourseToPlay;
  readonly now: Date;
  /** The union's, an IANA name. */
  readonly timeZone: string;
  /** UnionID of the cards' player. */
  readonly player: string;
  /** How long to wait for the delivery of the good card, in seconds. */
  readonly deliveredWithinSeconds: number;
  readonly signal: AbortSignal;
}

/** What became of one of the two cards. */
export interface SmokeTestCard {
  readonly externalId: string;
  /** Its status in the answer; undefined if the answer lacks it. */
  readonly status: number | undefined;
  /** Codes of what is wrong with it. */
  readonly faults: readonly string[];
  readonly state: string;
}

/** What a smoke test has shown. */
export interface SmokeTestResult {
  readonly good: SmokeTestCard;
  readonly bad: SmokeTestCard;
  /** The good card is accepted, and delivered. */
  readonly goodAsExpected: boolean;
  /** The bad card is refused, for its fault only. */
  readonly badAsExpected: boolean;
}

/**
 * Goes the whole way of a card as a vendor does: submits a good and a bad one, and follows them.
 *
 * @throws ApiError, NoResponseError, or the reason of the signal
 */
export async function smokeTest(
  client: Pick<ScorecardsClient, "submit" | "follow" | "statuses">,
  options: SmokeTestOptions,
): Promise<SmokeTestResult> {
  const { deliveredWithinSeconds, signal } = options;
  const good = goodCard(options);
  const bad = withoutLastHole(good);
  const ids = [good.ExternalID, bad.ExternalID];
  const states = new Map<string, string>();
  const entries = await client.submit([good, bad], { signal });
  for await (const _ of client.follow(ids, { timeoutSeconds: deliveredWithinSeconds, signal }));
  for (const { externalId, state } of await client.statuses(ids, { signal })) states.set(externalId, state);
  const findEnd = (externalId: string, place: number): SmokeTestCard => {
    const entry = entries[place];
    const faults = entry?.status === 422 ? entry.errors.map(({ code }) => code) : [];
    return {
      externalId,
      status: entry?.status,
      faults,
      state: states.get(externalId) ?? "not known",
    };
  };
  const [ofGood, ofBad] = [findEnd(good.ExternalID, 0), findEnd(bad.ExternalID, 1)];
  return {
    good: ofGood,
    bad: ofBad,
    goodAsExpected: ofGood.status === 201 && ofGood.state === State.delivered,
    badAsExpected:
      ofBad.status === 422 && ofBad.faults.join() === expectedFault && notAccepted.includes(ofBad.state),
  };
}

/** A refusal can be read some time after it. */
const notAccepted = ["refused", "unknown"];

/** A minimal valid card of yesterday; no handicap is calculated from it. */
function goodCard({ course: { clubId, versionId, tee }, now, timeZone, player }: SmokeTestOptions) {
  const yesterday = dayOf(now.getTime() - dayMilliseconds, timeZone).replaceAll("-", "");
  const startTime = `${yesterday}T100000`;
  return {
    CreateDateTime: startTime,
    ExternalID: `smoke-${now.toISOString()}-good`,
    HCP: "180000",
    CourseHandicap: 18,
    Course: { CourseID: versionId, ClubID: clubId, TeeID: tee.id },
    Marker: { FullName: "Smoke Test" },
    Result: { Strokes: tee.holes.map(({ par }) => par + 1), IsQualifying: false },
    Round: { HolesPlayed: tee.holes.length, RoundType: 1 as const, StartTime: startTime },
    Player: { UnionID: player },
  };
}

/** The same card without the strokes of the last hole, a fault that the exchange accepts and does not report. */
function withoutLastHole(card: ReturnType<typeof goodCard>) {
  const Strokes = card.Result.Strokes.slice(0, -1);
  return {
    ...card,
    ExternalID: card.ExternalID.replace(/good$/, "bad"),
    Result: { ...card.Result, Strokes },
    Round: { ...card.Round, HolesPlayed: Strokes.length },
  };
}
