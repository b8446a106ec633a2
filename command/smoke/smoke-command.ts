import type { SubmissionEntry } from "@scorecard-pipeline/scorecards-client";
import { settings } from "../../lib/settings.ts";
import { commandProcess } from "../command-process.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { localStage } from "../find-target.ts";
import type { Terminal } from "../terminal.ts";
import { patientRetrySeconds, type VendorOptions, vendorAccess } from "../vendor-access.ts";
import { courseToPlay } from "./course-to-play.ts";
import { badCard, expectedFault, goodCard } from "./smoke-cards.ts";

/** Options of `scorecards smoke`. */
export interface SmokeOptions extends VendorOptions {
  /** Longest time to wait for the delivery of the good card, in seconds. */
  readonly timeout: number;
  /** UnionID of the cards' player. */
  readonly player?: string;
  readonly json?: true;
}

const day = 86_400_000;

/**
 * `scorecards smoke`: submits one good and one bad card, and follows them. Exit code `done` if the good one is delivered
 * and the bad one is refused for its fault.
 */
export async function smokeCommand(options: SmokeOptions, terminal: Terminal): Promise<ExitCode> {
  const { client } = await vendorAccess(options, commandProcess().env, patientRetrySeconds);
  const { signal } = terminal;
  const now = new Date();
  const { timeZone } = settings[options.stage === "local" ? localStage : options.stage].union;
  const course = await courseToPlay(client, now, timeZone, signal);
  const date = new Date(now.getTime() - day).toISOString().slice(0, 10).replaceAll("-", "");
  const round = {
    name: `smoke-${now.toISOString()}`,
    startTime: `${date}T100000`,
    player: options.player ?? `${course.unionNumber}-1`,
  };
  const good = goodCard(course, round);
  const bad = badCard(course, round);

  const begun = performance.now();
  const [ofGood, ofBad] = await client.submit([good, bad], { signal });
  const states = new Map<string, string>();
  const follow = { timeoutSeconds: options.timeout, signal };
  for await (const { externalId, state } of client.follow([good.ExternalID, bad.ExternalID], follow)) {
    states.set(externalId, state);
  }

  const stateOf = (externalId: string) => states.get(externalId) ?? "not known";
  const goodEnd = { ...answerTo(ofGood), state: stateOf(good.ExternalID) };
  const badEnd = { ...answerTo(ofBad), state: stateOf(bad.ExternalID) };
  const goodAsExpected = goodEnd.state === "delivered";
  const badAsExpected =
    badEnd.status === 422 && badEnd.faults.includes(expectedFault) && isNotAccepted(badEnd.state);
  const seconds = Math.round(performance.now() - begun) / 1000;
  const passed = goodAsExpected && badAsExpected;
  if (options.json) {
    terminal.json({
      passed,
      good: { externalId: good.ExternalID, ...goodEnd },
      bad: { externalId: bad.ExternalID, ...badEnd },
      seconds,
    });
  } else {
    const goodSaid = refusalIn(goodEnd) ?? `is ${goodEnd.state}, after ${seconds} s`;
    terminal.result(`${goodAsExpected ? "ok    " : "WRONG "} the good card ${goodSaid}`);
    terminal.result(
      `${badAsExpected ? "ok    " : "WRONG "} the bad card ${refusalIn(badEnd) ?? "was accepted"}`,
    );
  }
  return passed ? exitCode.done : exitCode.refused;
}

/** Whether a card has not been accepted; `unknown` until its refusal can be read. */
const isNotAccepted = (state: string) => state === "refused" || state === "unknown";

interface Answered {
  readonly status: number | undefined;
  /** Codes of what is wrong with the card. */
  readonly faults: readonly string[];
}

const answerTo = (entry: SubmissionEntry | undefined): Answered => ({
  status: entry?.status,
  faults: entry?.status === 422 ? entry.errors.map(({ code }) => code) : [],
});

const refusalIn = ({ status, faults }: Answered) =>
  status === 422 ? `was refused: ${faults.join(", ")}` : undefined;
