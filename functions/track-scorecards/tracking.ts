import type { ScorecardTable } from "../../core/cards/delivery/scorecard-table.ts";
import { dayOf } from "../../core/formats/union-time.ts";
import type { ActivityReader } from "../../core/views/activity-table.ts";
import type { RefusalReader } from "../../core/views/refusal-table.ts";
import type { TournamentReader } from "../../core/views/tournament-table.ts";
import type { FeedReader } from "../../core/webhooks/feed-table.ts";
import type { OperationAnswers } from "../http/operation-answers.ts";

/** What the answers are read from. */
export interface Tracking {
  readonly table: Pick<ScorecardTable, "read" | "readWithBreaker" | "inState">;
  readonly activity: ActivityReader;
  readonly refusals: RefusalReader;
  readonly tournaments: TournamentReader;
  readonly feed: FeedReader;
  /** The union's, an IANA name. */
  readonly timeZone: string;
}

/** Answers of some operations of this function. */
export type TrackingAnswers<Operation extends keyof OperationAnswers<"track-scorecards">> = Pick<
  OperationAnswers<"track-scorecards">,
  Operation
>;

/** When a request came: milliseconds since 1970, and the day in the union's time zone. */
export function readClock(timeZone: string) {
  const now = Date.now();
  return { now, today: dayOf(now, timeZone) };
}
