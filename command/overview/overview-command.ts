import { setTimeout as delay } from "node:timers/promises";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { findTarget } from "../base/find-target.ts";
import type { Target, TargetStage } from "../base/target.ts";
import type { Terminal } from "../base/terminal.ts";
import { overviewLines } from "./overview-lines.ts";
import { readStageOverview, type StageOverview } from "./read-overview.ts";

/** Options of `scorecards overview`. */
export interface OverviewOptions {
  readonly stage: TargetStage;
  /** Seconds between two overviews, `true` for some; one overview if absent. */
  readonly watch?: number | true;
  readonly json?: true;
}

/**
 * The exit code of an overview.
 *
 * @returns `unfinished` if a part could not be read; `done` if delivery runs, no alarm rings, no breaker is open, every club is
 *   mirrored, each waiting card has its message, all data can be restored and there are no dead letters
 */
function toExitCode({
  unread,
  delivery,
  alarms,
  queue,
  breakers,
  mirror,
  backups = [],
}: StageOverview): ExitCode {
  if (unread.length > 0) return exitCode.unfinished;
  const lists = [alarms ?? [], breakers ?? []];
  const isWell =
    !delivery?.held &&
    lists.every(({ length }) => length === 0) &&
    backups.every(({ restorable }) => restorable) &&
    queue?.deadLetters === 0 &&
    queue.cardsWithoutMessage === undefined &&
    mirror?.failing === 0 &&
    mirror.failure === undefined;
  return isWell ? exitCode.done : exitCode.refused;
}

const usualSeconds = 5;
/** Outcomes are counted a little after the messages are gone, so cards that seem to have none are looked for twice. */
const countingMilliseconds = 5000;

async function readTwiceIfDoubtful(target: Target, signal: AbortSignal): Promise<StageOverview> {
  const overview = await readStageOverview(target, new Date());
  if (overview.queue?.cardsWithoutMessage === undefined) return overview;
  await delay(countingMilliseconds, undefined, { signal }).catch(() => undefined);
  return await readStageOverview(target, new Date());
}

/** `scorecards overview`. Exit code `done` if nothing needs attention, `unfinished` if a part could not be read. */
export async function overviewCommand(options: OverviewOptions, terminal: Terminal): Promise<ExitCode> {
  const target = await findTarget(options.stage);
  const seconds = options.watch === true ? usualSeconds : options.watch;
  for (;;) {
    const overview = await readTwiceIfDoubtful(target, terminal.signal);
    if (seconds !== undefined) terminal.clear();
    if (options.json) terminal.json(overview);
    else terminal.result(overviewLines(overview));
    const ended = toExitCode(overview);
    if (seconds === undefined) return ended;
    try {
      await delay(seconds * 1000, undefined, { signal: terminal.signal });
    } catch {
      return ended;
    }
  }
}
