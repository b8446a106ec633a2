import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { Item } from "../../core/aws/batch.ts";
import { isUnfinished } from "../../core/cards/delivery/posts.ts";
import { sendWakeUps, type WakeUp } from "../../core/cards/delivery/queue.ts";
import { storedCard } from "../../core/cards/delivery/scorecard-table.ts";
import type { StoredCard } from "../../core/cards/life/card.ts";
import { isFinal } from "../../core/cards/life/states.ts";
import { type ProgressState, progressDisplay } from "../../local/progress-display.ts";
import { type BackedUp, backedUp } from "../base/backed-up.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { findTarget } from "../base/find-target.ts";
import type { TargetStage } from "../base/target.ts";
import { counted, type Terminal } from "../base/terminal.ts";
import { eraseAgain } from "../person/erase-again.ts";
import { type RestoreCounts, restoreItems } from "./restore-items.ts";

/** Options of `scorecards backup take-over`. */
export interface TakeOverOptions {
  readonly stage: TargetStage;
  /** Whether restored items replace the stage's; by default the stage's are kept. */
  readonly replace?: boolean;
  readonly json?: true;
}

/**
 * `scorecards backup take-over cards|accounts|webhooks|counts TABLE`: copies a restored table's items into the stage's own table, and
 * wakes up the cards among them that are still to be delivered. A run that was interrupted may be repeated.
 */
export async function takeOverCommand(
  data: BackedUp,
  from: string,
  { stage, replace = false, json }: TakeOverOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const target = await findTarget(stage, terminal);
  const { outputs, client } = target;
  const { output } = backedUp[data];
  const to = outputs[output];
  const dynamodb = new DynamoDBClient(client("dynamodb"));
  const sqs = new SQSClient(client("sqs"));
  const { signal } = terminal;
  const display = progressDisplay(terminal.progress);
  let wokenUp = 0;
  const restored = async (items: readonly Item[]) => {
    const cards = data === "cards" ? items.flatMap((item) => storedCard(item) ?? []) : [];
    const wakeUps = cards.filter(isUnfinished).map((card) => renewWakeUp(card, Date.now()));
    if (wakeUps.length > 0) await sendWakeUps(sqs, outputs.DeliveryQueueUrl, wakeUps);
    wokenUp += wakeUps.length;
  };
  const progress = (counts: RestoreCounts, total: number) => display.show(toProgress(counts, total));

  let counts: RestoreCounts;
  try {
    counts = await restoreItems(dynamodb, { data, from, to, replace, signal, restored, progress });
  } finally {
    display.end();
  }
  const { erased, left } = await eraseAgain(data, target, dynamodb, signal);
  const again = `Erased again of persons who had been erased: ${erased}. ${counted(left, "card")} may still be posted${left > 0 ? ": run this again in two hours" : ""}.`;
  if (json) terminal.json({ ...counts, wokenUp, ...(erased + left > 0 && { erased, left }) });
  else terminal.result([toLines(counts), `${counted(wokenUp, "card")} to be delivered.`]);
  if (!json && erased + left > 0) terminal.result(again);
  return left > 0 ? exitCode.refused : exitCode.done;
}

function toLines({ copied, added, kept, restoredBefore }: RestoreCounts): string {
  const parts = [`${counted(copied, "item")} copied`];
  if (added > 0) parts.push(`${added} added to the stage's counts`);
  if (restoredBefore > 0) parts.push(`${restoredBefore} restored by an earlier run`);
  return `${[...parts, `${kept} kept as the stage has them`].join(", ")}.`;
}

/** Items between two lines of progress. */
const stepSize = 1000;

function toProgress({ copied, added, kept, restoredBefore }: RestoreCounts, total: number): ProgressState {
  const done = copied + added + kept + restoredBefore;
  const text = `${done}${total > 0 ? ` of about ${total}` : ""} items`;
  return { done, total: Math.max(done, total), text, line: text, step: Math.floor(done / stepSize) };
}

/** Makes the wake-up of a restored card: a restored table has no queue. @param now milliseconds since 1970, UTC */
export function renewWakeUp({ apiSet, externalId, version, state }: StoredCard, now: number): WakeUp {
  return {
    apiSet,
    externalId,
    version,
    madeAt: now,
    mark: isFinal(state) ? "repost" : undefined,
    // The run that had the lost wake-up may have died after a post.
    maybePosted: true,
    delaySeconds: 0,
  };
}
