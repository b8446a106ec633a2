import { setTimeout as delay } from "node:timers/promises";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { findTarget } from "../find-target.ts";
import type { TargetStage } from "../target.ts";
import type { Terminal } from "../terminal.ts";
import { overviewLines } from "./overview-lines.ts";
import { readStageOverview } from "./read-overview.ts";

/** Options of `scorecards overview`. */
export interface OverviewOptions {
  readonly stage: TargetStage;
  /** Seconds between two overviews; one overview if absent. */
  readonly watch?: number;
  readonly json?: true;
}

/** `scorecards overview`. Exit code `done` if delivery is not held, no alarm rings and there are no dead letters. */
export async function overviewCommand(options: OverviewOptions, terminal: Terminal): Promise<ExitCode> {
  const target = await findTarget(options.stage);
  for (;;) {
    const overview = await readStageOverview(target, new Date());
    if (options.watch !== undefined) terminal.clear();
    if (options.json) terminal.json(overview);
    else terminal.result(overviewLines(overview));
    const { delivery, alarms, queue } = overview;
    const isWell = !delivery.held && alarms.length === 0 && queue.deadLetters === 0;
    const ended = isWell ? exitCode.done : exitCode.refused;
    if (options.watch === undefined) return ended;
    try {
      await delay(options.watch * 1000, undefined, { signal: terminal.signal });
    } catch {
      return ended;
    }
  }
}
