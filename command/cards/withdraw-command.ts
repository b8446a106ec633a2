import { setTimeout as wait } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import pMap from "p-map";
import { sendWakeUps, type WakeUp } from "../../core/cards/delivery/queue.ts";
import { postTiming } from "../../core/cards/delivery/timing.ts";
import { isWithdrawable, State } from "../../core/cards/life/states.ts";
import { scorecardTable } from "../../core/cards/scorecard-table.ts";
import type { CardStatus } from "../../core/cards/status.ts";
import { withdraw } from "../../core/cards/withdraw.ts";
import { RefusalError } from "../../core/golf/refusal.ts";
import { settings } from "../../lib/settings.ts";
import { progressDisplay } from "../../local/progress-display.ts";
import { errorLine } from "../error-line.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { findTarget } from "../find-target.ts";
import { tableLines } from "../table-lines.ts";
import { counted, type Terminal } from "../terminal.ts";
import { type CardsOfTime, cardsOfTime, stateCounts } from "./vendor-cards.ts";

/** Options of `scorecards withdraw`. */
export interface WithdrawOptions extends CardsOfTime {
  /** Without it nothing is changed. */
  readonly yes?: true;
  readonly json?: true;
}

/** Each withdrawal may wait for seconds, until no post of its card can be under way. */
const parallelWithdrawals = 50;

/**
 * `scorecards withdraw`: withdraws all cards of a vendor that were accepted in a time and are not at the exchange. Without `--yes` it
 * only lists them. Exit code `done` if none is left to withdraw, `refused` if some are, or are at the exchange.
 */
export async function withdrawCommand(options: WithdrawOptions, terminal: Terminal): Promise<ExitCode> {
  const target = await findTarget(options.stage);
  const { apiSet, cards } = await cardsOfTime(target, options);
  const waiting = cards.filter(({ state }) => state !== "unknown" && isWithdrawable(state));
  const atExchange = cards.filter(({ state }) => state === State.delivered);

  if (!options.yes) {
    if (options.json) terminal.json({ toWithdraw: waiting, atExchange });
    else {
      const rows = waiting.map(({ externalId, acceptedAt = "", state }) => [externalId, acceptedAt, state]);
      if (rows.length > 0) terminal.result(tableLines(["To withdraw", "Accepted", "State"], rows));
      terminal.result(
        `${counted(cards.length, "card")} accepted in this time: ${stateCounts(cards) || "none"}.`,
      );
      terminal.result(
        `Nothing is changed. With --yes the same command withdraws ${counted(waiting.length, "card")}; ${atExchange.length} delivered cannot be withdrawn.`,
      );
    }
    return waiting.length + atExchange.length > 0 ? exitCode.refused : exitCode.done;
  }

  const { outputs, client, stage } = target;
  const sqs = new SQSClient(client("sqs"));
  const { cardRetentionDays, delivery, union } = settings[stage];
  const dependencies = {
    table: scorecardTable(
      outputs.ScorecardTableName,
      new DynamoDBClient(client("dynamodb")),
      cardRetentionDays,
    ),
    send: (wakeUps: readonly WakeUp[]) => sendWakeUps(sqs, outputs.DeliveryQueueUrl, wakeUps),
    now: () => new Date(),
    timing: postTiming(delivery.postTimeoutSeconds),
    timeZone: union.timeZone,
    wait,
  };
  const display = progressDisplay(terminal.progress);
  const tooLate: { readonly externalId: string; readonly why: string }[] = [];
  const failed: { readonly externalId: string; readonly why: string }[] = [];
  let withdrawn = 0;
  terminal.note(
    "Each card takes up to 16 seconds, until no post of it can be under way; fifty are withdrawn at a time.",
  );
  const withdrawOne = async ({ externalId }: CardStatus) => {
    if (terminal.signal.aborted) return;
    try {
      await withdraw(apiSet, externalId, dependencies);
      withdrawn += 1;
    } catch (error) {
      const refusal = error instanceof RefusalError ? error.refusal : undefined;
      const why = refusal !== undefined && "detail" in refusal ? refusal.detail : errorLine(error);
      (refusal?.kind === "conflict" ? tooLate : failed).push({ externalId, why });
    }
    const done = withdrawn + tooLate.length + failed.length;
    const text = `${withdrawn} of ${waiting.length} withdrawn`;
    const step = Math.floor((10 * done) / waiting.length);
    display.show({ done, total: waiting.length, text, line: text, step });
  };
  await pMap(waiting, withdrawOne, { concurrency: parallelWithdrawals }).finally(() => display.end());

  const left = waiting.length - withdrawn - tooLate.length;
  if (options.json) {
    terminal.json({
      withdrawn,
      tooLate,
      failed,
      left,
      delivered: atExchange.map(({ externalId }) => externalId),
    });
  } else {
    const late = tooLate.length + atExchange.length;
    terminal.result(
      `${counted(withdrawn, "card")} withdrawn; ${late} at the exchange, or possibly there; ${left} left.`,
    );
    for (const { externalId, why } of [...tooLate, ...failed]) terminal.result(`${externalId}: ${why}`);
  }
  if (left > 0) {
    terminal.note("Run the same command again to withdraw the others.");
    return exitCode.unfinished;
  }
  return tooLate.length + atExchange.length > 0 ? exitCode.refused : exitCode.done;
}
