import { isSettled } from "@scorecard-pipeline/scorecards-client";
import type { StandIn } from "@scorecard-pipeline/stand-in";
import Table from "cli-table3";
import type { UnionProfile } from "../../unions/union-profile.ts";
import { type ProgressStream, progressDisplay } from "../progress-display.ts";
import { type PlayResult, play, playProgressState } from "../sample/play.ts";
import { recordMismatches } from "../sample/record-mismatches.ts";
import { sampleTournament } from "../sample/tournament.ts";
import { demoVendors } from "./demo-accounts.ts";

const maxUnexpectedShown = 20;

/** A table of a sample's results, as text without colours, with a list of unexpected outcomes below it. */
function resultTable(result: PlayResult): string {
  const seconds = result.milliseconds / 1_000;
  const table = new Table({ style: { head: [], border: [] }, colAligns: ["left", "right"] });
  const refused = Object.entries(result.refused).sort(([one], [other]) => one.localeCompare(other));
  table.push(
    ["Submitted", result.submitted],
    ["Accepted", result.accepted],
    ...refused.map(([code, cards]) => [`Refused: ${code}`, cards]),
    ["Delivered", result.delivered],
    ...Object.entries(result.warned).map(([code, cards]) => [`Delivered with a warning: ${code}`, cards]),
    ["Not as expected", result.unexpected.length],
    ["Time", `${seconds.toFixed(1)} s`],
    ["Delivered a second", seconds > 0 ? Math.round(result.delivered / seconds) : 0],
  );
  const shown = result.unexpected.slice(0, maxUnexpectedShown);
  const left = result.unexpected.length - shown.length;
  const lines = shown.map(
    ({ externalId, expected, got }) => `${externalId}: expected ${expected}, got ${got}`,
  );
  return [table.toString(), ...lines, ...(left > 0 ? [`and ${left} more`] : [])].join("\n");
}

/** A sample tournament on a pipeline whose union is the stand-in. */
interface SampleRun {
  /** Base address of the API with its stage. */
  readonly api: string;
  /** Zone and country of the union. */
  readonly union: Pick<UnionProfile, "timeZone" | "country">;
  readonly standIn: Pick<StandIn, "clubs" | "courses" | "members" | "received" | "process">;
  readonly out: ProgressStream;
  readonly signal: AbortSignal;
}

const seed = 2026;

/**
 * Submits the sample tournament, follows its cards, and shows the results.
 *
 * @returns whether every good card was delivered and every bad one refused, and the stand-in received exactly these
 */
export async function playSample({ api, union, standIn, out, signal }: SampleRun): Promise<boolean> {
  const now = new Date();
  const { clubs, courses, members } = standIn;
  const { timeZone, country } = union;
  const run = now.toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  const submissions = sampleTournament({ clubs, courses, members, seed, run, now, timeZone, country });
  const cards = submissions.reduce((sum, submission) => sum + submission.cards.length, 0);
  out.write(
    `A sample tournament: 144 players, two rounds, ${cards} cards in ${submissions.length} submissions.\n`,
  );

  const display = progressDisplay(out);
  const result = await play({
    api,
    vendors: demoVendors,
    submissions,
    onProgress: (progress) => display.show(playProgressState(progress)),
    signal,
  }).finally(() => display.end());
  out.write(`\n${resultTable(result)}\n`);

  const pending = result.acceptedCards.filter(({ state }) => !isSettled(state ?? "")).length;
  if (pending > 0) {
    out.write(`${pending} cards are not delivered yet. The sample waits for three minutes only.\n`);
  }
  const mismatches = recordMismatches(standIn.received, result);
  for (const { apiSet, externalId, kind } of mismatches) {
    out.write(`Mismatch with the union's record: ${apiSet} ${externalId} ${kind}\n`);
  }
  if (mismatches.length === 0) {
    out.write(`Every card matches the union's own record${pending > 0 ? ", so far" : ""}.\n`);
  }
  const { processed, vanished } = await standIn.process();
  const lost = Object.values(vanished).reduce((sum, cards) => sum + cards, 0);
  out.write(`The union has processed ${processed} cards; for ${lost} of them it calculated no handicap.\n`);
  return result.unexpected.length === 0 && mismatches.length === 0;
}
