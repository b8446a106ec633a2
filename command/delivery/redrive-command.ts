import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import { deadLetterQueue } from "../../core/aws/dead-letter-queue.ts";
import { sendWakeUps, type WakeUp } from "../../core/cards/delivery/queue.ts";
import { scorecardTable } from "../../core/cards/delivery/scorecard-table.ts";
import { postTiming } from "../../core/cards/delivery/timing.ts";
import { State } from "../../core/cards/life/states.ts";
import {
  chooseDelivered,
  type DeliveredChoice,
  type RedriveChoice,
  type ResendDependencies,
  redrive,
  resend,
} from "../../core/cards/resend.ts";
import { settings } from "../../lib/settings.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { findTarget } from "../base/find-target.ts";
import { knownApiSets } from "../base/known-api-sets.ts";
import { type ScannedTable, scanCards } from "../base/scan-cards.ts";
import type { TargetStage } from "../base/target.ts";
import { counted, type Terminal } from "../base/terminal.ts";

/** Options of `scorecards redrive`. */
export interface RedriveOptions {
  readonly stage: TargetStage;
  /** A vendor's API set; by default all vendors. */
  readonly vendor?: string;
  readonly state: RedriveChoice["state"] | typeof State.delivered;
  /** Of delivered cards: when they were delivered, in milliseconds since 1970, UTC. */
  readonly from?: number;
  readonly to?: number;
  /** Of delivered cards: only those that a check did not find in the players' records. */
  readonly notRecorded?: true;
  /** Of delivered cards: say how many there are, and post none. */
  readonly preview?: true;
  /** Milliseconds since 1970, UTC. */
  readonly since?: number;
  /** HTTP status of the card's last post. */
  readonly code?: number;
  readonly json?: true;
}

/**
 * `scorecards redrive`: delivers undelivered or rejected cards again, and moves dead letters back to the queue. Exit code `done` if
 * every dead letter could be read.
 */
export async function redriveCommand(options: RedriveOptions, terminal: Terminal): Promise<ExitCode> {
  const target = await findTarget(options.stage, terminal);
  const { outputs, client } = target;
  const dynamodb = new DynamoDBClient(client("dynamodb"));
  const sqs = new SQSClient(client("sqs"));
  const { cardRetentionDays, timing } = settings[options.stage === "production" ? "production" : "test"];
  const { state, since, code } = options;
  const dependencies = {
    table: scorecardTable(outputs.ScorecardTableName, dynamodb, cardRetentionDays),
    send: (wakeUps: readonly WakeUp[]) => sendWakeUps(sqs, outputs.DeliveryQueueUrl, wakeUps),
    deadLetters: deadLetterQueue(sqs, outputs.DeadLetterQueueUrl),
    now: () => new Date(),
    timing: postTiming(timing.post),
  };
  const vendors = await knownApiSets(target, dynamodb, options);
  if (state === State.delivered) {
    const { from, to = Date.now(), notRecorded = false, preview = false } = options;
    if (from === undefined)
      throw new Error("Say with --from when the cards were delivered that the exchange has lost.");
    const found = await postDeliveredAgain(
      { vendors, from, to, notRecorded },
      { ...dependencies, scanned: { dynamodb, table: outputs.ScorecardTableName, note: terminal.note } },
      preview,
    );
    if (options.json) terminal.json(found);
    else if (preview) terminal.result(`${counted(found.chosen, "delivered card")} would be posted again.`);
    else terminal.result(`${counted(found.sentOn, "delivered card")} queued again, under the same IDs.`);
    return exitCode.done;
  }
  const counts = await redrive(vendors, dependencies, { state, since, status: code });

  if (options.json) terminal.json(counts);
  else {
    const { sentOn, moved } = counts;
    terminal.result(`${counted(sentOn, "card")} queued again; ${counted(moved, "dead letter")} moved back.`);
    if (counts.unreadable > 0) {
      terminal.result(
        `${counted(counts.unreadable, "dead letter")} cannot be read. Inspect the dead-letter queue.`,
      );
    }
  }
  return counts.unreadable > 0 ? exitCode.refused : exitCode.done;
}

/**
 * Posts delivered cards again that the exchange has lost. It reads the whole table of cards: no list has them by the time of their
 * delivery.
 */
async function postDeliveredAgain(
  choice: DeliveredChoice,
  { scanned, ...dependencies }: ResendDependencies & { readonly scanned: ScannedTable },
  preview: boolean,
): Promise<{ readonly chosen: number; readonly sentOn: number }> {
  const counts = { chosen: 0, sentOn: 0 };
  const filter = {
    vendors: choice.vendors,
    condition: "#state = :delivered AND #since >= :from AND #since < :to",
    values: {
      ":delivered": { S: State.delivered },
      ":from": { N: String(choice.from) },
      ":to": { N: String(choice.to) },
    },
  };
  await scanCards(scanned, filter, async (cards) => {
    const chosen = chooseDelivered(cards, choice);
    counts.chosen += chosen.length;
    if (!preview) counts.sentOn += await resend(chosen, dependencies);
  });
  return counts;
}
