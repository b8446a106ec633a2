import { demoAccounts, startStandIn } from "@scorecard-pipeline/stand-in";
import { type PlayableTee, playableTee } from "../core/smoke-test/playable-tee.ts";
import { playableTee as findPlayed } from "../local/pipeline/minimal-card.ts";
import { markerOf, type NamedMarker } from "../unions/conformance/smallest-card.ts";
import { serveUntilStopped } from "./own-process.ts";

/** What the union says when it is ready. */
export interface UnionReady {
  readonly address: string;
  /** Where it is asked what it has received and processed. */
  readonly control: string;
  readonly clubId: string;
  readonly courseId: string;
  readonly tee: PlayableTee;
  readonly members: readonly NamedMarker[];
}

const standIn = await startStandIn({
  port: 0,
  seed: 1,
  clubs: 40,
  accounts: demoAccounts,
  now: () => new Date(),
});
const { course, tee: played } = findPlayed(standIn, "20260101");
const tee = playableTee(played);
if (tee === undefined) throw new Error("The stand-in has no tee to play.");
const ready: UnionReady = {
  address: standIn.address,
  control: standIn.control,
  clubId: course.ClubID,
  courseId: course.ID,
  tee,
  members: standIn.members.map(markerOf).filter(({ UnionID }) => UnionID !== ""),
};
serveUntilStopped(ready, standIn.stop);
