import { courseToPlay, type SmokeTestCard, smokeTest } from "../../core/smoke-test/smoke-test.ts";
import { settings } from "../../lib/settings.ts";
import { commandProcess } from "../base/command-process.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { localStage } from "../base/find-target.ts";
import type { Terminal } from "../base/terminal.ts";
import { patientRetrySeconds, type VendorOptions, vendorAccess } from "../base/vendor-access.ts";

/** Options of `scorecards smoke`. */
export interface SmokeOptions extends VendorOptions {
  /** Longest time to wait for the delivery of the good card, in seconds. */
  readonly timeout: number;
  /** UnionID of the cards' player. */
  readonly player?: string;
  readonly json?: true;
}

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
  const player = options.player ?? `${course.unionNumber}-1`;
  const begun = performance.now();
  const deliveredWithinSeconds = options.timeout;
  const result = await smokeTest(client, { course, now, timeZone, player, deliveredWithinSeconds, signal });
  const { good, bad, goodAsExpected, badAsExpected } = result;
  const seconds = Math.round(performance.now() - begun) / 1000;
  const passed = goodAsExpected && badAsExpected;
  if (options.json) {
    terminal.json({ passed, good, bad, seconds });
  } else {
    const goodSaid = refusalIn(good) ?? `is ${good.state}, after ${seconds} s`;
    terminal.result(`${goodAsExpected ? "ok    " : "WRONG "} the good card ${goodSaid}`);
    terminal.result(
      `${badAsExpected ? "ok    " : "WRONG "} the bad card ${refusalIn(bad) ?? "was accepted"}`,
    );
  }
  return passed ? exitCode.done : exitCode.refused;
}

const refusalIn = ({ status, faults }: SmokeTestCard) =>
  status === 422 ? `was refused: ${faults.join(", ")}` : undefined;
