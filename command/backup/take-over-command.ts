import { ConditionalCheckFailedException, DynamoDBClient, PutItemCommand } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import pMap from "p-map";
import type { Item } from "../../core/aws/batch.ts";
import { scanInSegments } from "../../core/aws/segmented-scan.ts";
import { isFinal } from "../../core/cards/card.ts";
import { sendWakeUps, type WakeUp } from "../../core/cards/queue.ts";
import { storedCard } from "../../core/cards/scorecard-table.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { findTarget } from "../find-target.ts";
import type { TargetStage } from "../target.ts";
import { counted, type Terminal } from "../terminal.ts";
import { type BackedUp, backedUp } from "./backed-up.ts";

/** Options of `scorecards backup take-over`. */
export interface TakeOverOptions {
  readonly stage: TargetStage;
  /** Whether restored items replace the stage's; by default the stage's are kept. */
  readonly replace?: true;
  readonly json?: true;
}

/** Writes at the same time for each segment that is read. */
const parallelWrites = 10;

/**
 * `scorecards backup take-over cards|accounts TABLE`: copies a restored table's items into the stage's own table, which
 * the stack keeps, and wakes up the cards among them that are still to be delivered. It may be repeated.
 */
export async function takeOverCommand(
  what: BackedUp,
  restored: string,
  { stage, replace, json }: TakeOverOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { outputs, client } = await findTarget(stage);
  const { output, key } = backedUp[what];
  const TableName = outputs[output];
  if (restored === TableName) throw new Error(`${restored} is the stage's own table. Name the restored one.`);
  const dynamodb = new DynamoDBClient(client("dynamodb"));
  const sqs = new SQSClient(client("sqs"));
  const counts = { copied: 0, kept: 0, wokenUp: 0 };

  /** False if the stage has an item of that key, which is kept. */
  async function copy(Item: Item): Promise<boolean> {
    const condition = replace ? {} : { ConditionExpression: `attribute_not_exists(${key})` };
    try {
      await dynamodb.send(new PutItemCommand({ TableName, Item, ...condition }));
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  }

  await scanInSegments(dynamodb, restored, async (items) => {
    const copied: Item[] = [];
    const work = async (item: Item) => {
      terminal.signal.throwIfAborted();
      if (await copy(item)) copied.push(item);
      else counts.kept += 1;
    };
    await pMap(items, work, { concurrency: parallelWrites });
    counts.copied += copied.length;
    const wakeUps = what === "cards" ? copied.flatMap(wakeUpOf) : [];
    if (wakeUps.length > 0) await sendWakeUps(sqs, outputs.DeliveryQueueUrl, wakeUps);
    counts.wokenUp += wakeUps.length;
  });

  if (json) terminal.json(counts);
  else {
    const { copied, kept, wokenUp } = counts;
    terminal.result(
      `${counted(copied, "item")} copied, ${kept} kept as the stage has them; ${counted(wokenUp, "card")} to be delivered.`,
    );
  }
  return exitCode.done;
}

/**
 * A wake-up for a card that is still to be delivered. It may have been posted after the time to which the table was restored.
 */
function wakeUpOf(item: Item): WakeUp[] {
  const card = storedCard(item);
  if (card === undefined || isFinal(card.state)) return [];
  const { apiSet, externalId, version } = card;
  return [{ apiSet, externalId, version, madeAt: Date.now(), delaySeconds: 0, maybePosted: true }];
}
