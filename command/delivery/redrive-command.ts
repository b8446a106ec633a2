import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import { type ApiSet, readApiSet } from "../../core/account/api-set.ts";
import { deadLetterQueue } from "../../core/delivery/dead-letters.ts";
import { sendCards } from "../../core/delivery/queue.ts";
import { createRedrive } from "../../core/delivery/redrive.ts";
import { accountTable } from "../../core/store/accounts.ts";
import { redriveTable } from "../../core/store/redrives.ts";
import { scorecardTable } from "../../core/store/scorecards.ts";
import { counted } from "../counted.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { findTarget } from "../find-target.ts";
import type { TargetStage } from "../target.ts";
import type { Terminal } from "../terminal.ts";

/** Options of `scorecards redrive`. */
export interface RedriveOptions {
  readonly stage: TargetStage;
  /** One vendor's API set; all where it is left out. */
  readonly vendor?: string;
  readonly again?: true;
  readonly json?: true;
}

/** `scorecards redrive`: sends cards on again that were given up. Done where every dead letter could be read. */
export async function redriveCommand(options: RedriveOptions, terminal: Terminal): Promise<ExitCode> {
  const { outputs, client } = await findTarget(options.stage);
  const dynamodb = new DynamoDBClient(client("dynamodb"));
  const sqs = new SQSClient(client("sqs"));
  const accounts = await accountTable(outputs.AccountTableName, dynamodb).list();
  const known = [...new Set(accounts.map(({ apiSet }) => apiSet))];

  const redrive = createRedrive({
    cards: scorecardTable(outputs.ScorecardTableName, dynamodb),
    redrives: redriveTable(outputs.ScorecardTableName, dynamodb),
    send: (cards) => sendCards(sqs, outputs.DeliveryQueueUrl, cards),
    deadLetters: deadLetterQueue(sqs, outputs.DeadLetterQueueUrl),
    now: () => new Date(),
  });
  const counts = await redrive(chosen(options.vendor, known), options.again);

  if (options.json) terminal.result(JSON.stringify(counts));
  else {
    terminal.result(
      `${counted(counts.sentOn, "card")} sent on again; ${counted(counts.removed, "dead letter")} removed.`,
    );
    if (counts.onTheWay > 0) {
      terminal.result(
        `${counts.onTheWay} cards were sent on before and have not been tried since: --again sends them once more.`,
      );
    }
    if (counts.unreadable > 0) {
      terminal.result(`${counts.unreadable} dead letters cannot be read, and stay for you to look at.`);
    }
  }
  return counts.unreadable > 0 ? exitCode.refused : exitCode.done;
}

function chosen(vendor: string | undefined, known: readonly ApiSet[]): readonly ApiSet[] {
  if (vendor === undefined) return known;
  const apiSet = readApiSet(vendor);
  if (apiSet === undefined || !known.includes(apiSet)) {
    throw new Error(
      `No account has the API set ${vendor}. \`scorecards account list\` shows which there are.`,
    );
  }
  return [apiSet];
}
