import { setTimeout as wait } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import pMap from "p-map";
import type { ApiSet } from "../../core/accounts/account.ts";
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
import type { Target } from "../target.ts";
import { counted, type Terminal } from "../terminal.ts";
import { type CardsOfTime, cardsOfTime, type FoundCards, stateCounts } from "./vendor-cards.ts";

/** Options of `scorecards withdraw`. */
export interface WithdrawOptions extends CardsOfTime {
  /** Without it nothing is changed. */
  readonly yes?: true;
  readonly json?: true;
}

/** Each withdrawal may wait for seconds, until no post of its card can be under way. */
const parallelWithdrawals = 50;
/** An account that goes on sending would keep the command from ever ending. */
const maxLooks = 5;

/** The cards of a time that can be withdrawn, and those that cannot any more. */
function sortOut({ cards }: FoundCards) {
  return {
    waiting: cards.filter(({ state }) => state !== "unknown" && isWithdrawable(state)),
    atExchange: cards.filter(({ state }) => state === State.delivered),
  };
}

/**
 * `scorecards withdraw`: withdraws all cards of a vendor that were accepted in a time and are not at the exchange. Without `--yes` it
 * only lists them. Exit code `done` if none is left to withdraw, `refused` if some are, or are at the exchange.
 */
export async function withdrawCommand(options: WithdrawOptions, terminal: Terminal): Promise<ExitCode> {
  const target = await findTarget(options.stage, options.yes && terminal);
  return options.yes
    ? await withdrawAll(options, target, terminal)
    : await preview(options, target, terminal);
}

async function preview(options: WithdrawOptions, target: Target, terminal: Terminal): Promise<ExitCode> {
  const found = await cardsOfTime(target, options);
  const { waiting, atExchange } = sortOut(found);
  if (options.json) terminal.json({ toWithdraw: waiting, atExchange, completeTo: found.completeTo });
  else {
    const rows = waiting.map(({ externalId, acceptedAt = "", state }) => [externalId, acceptedAt, state]);
    if (rows.length > 0) terminal.result(tableLines(["To withdraw", "Accepted", "State"], rows));
    terminal.result(
      `${counted(found.cards.length, "card")} accepted in this time, up to ${found.completeTo}: ${stateCounts(found.cards) || "none"}.`,
    );
    terminal.result(
      `Nothing is changed. With --yes the same command withdraws ${counted(waiting.length, "card")}; ${atExchange.length} delivered cannot be withdrawn.`,
    );
  }
  return waiting.length + atExchange.length > 0 ? exitCode.refused : exitCode.done;
}

interface NotWithdrawn {
  readonly externalId: string;
  readonly why: string;
}

/** Withdraws what it finds, and looks again until a look finds nothing more: the vendor may send cards while it works. */
async function withdrawAll(options: WithdrawOptions, target: Target, terminal: Terminal): Promise<ExitCode> {
  const withdrawOne = createWithdrawal(target);
  const display = progressDisplay(terminal.progress);
  const tooLate: NotWithdrawn[] = [];
  const failed: NotWithdrawn[] = [];
  let withdrawn = 0;
  terminal.note(
    "Each card takes up to 16 seconds, until no post of it can be under way; fifty are withdrawn at a time.",
  );
  const tryOne = async (apiSet: ApiSet, { externalId }: CardStatus) => {
    if (terminal.signal.aborted) return;
    try {
      await withdrawOne(apiSet, externalId);
      withdrawn += 1;
    } catch (error) {
      const refusal = error instanceof RefusalError ? error.refusal : undefined;
      const why = refusal !== undefined && "detail" in refusal ? refusal.detail : errorLine(error);
      (refusal?.kind === "conflict" ? tooLate : failed).push({ externalId, why });
    }
  };

  let found: FoundCards;
  let waiting: readonly CardStatus[];
  for (let looks = 1; ; looks++) {
    found = await cardsOfTime(target, options);
    const { apiSet, completeTo } = found;
    const named = new Set([...tooLate, ...failed].map(({ externalId }) => externalId));
    waiting = sortOut(found).waiting;
    const untried = waiting.filter(({ externalId }) => !named.has(externalId));
    if (untried.length === 0 || looks === maxLooks || terminal.signal.aborted) break;
    const total = withdrawn + named.size + untried.length;
    const work = async (card: CardStatus) => {
      await tryOne(apiSet, card);
      const done = withdrawn + tooLate.length + failed.length;
      const text = `${withdrawn} of ${total} withdrawn`;
      display.show({
        done,
        total,
        text,
        line: `${text}, of those up to ${completeTo}`,
        step: Math.floor((10 * done) / total),
      });
    };
    await pMap(untried, work, { concurrency: parallelWithdrawals });
  }
  display.end();

  const refused = new Set(tooLate.map(({ externalId }) => externalId));
  const left = waiting.filter(({ externalId }) => !refused.has(externalId)).length;
  const { atExchange } = sortOut(found);
  if (options.json) {
    const delivered = atExchange.map(({ externalId }) => externalId);
    terminal.json({ withdrawn, tooLate, failed, left, delivered, completeTo: found.completeTo });
  } else {
    const late = refused.union(new Set(atExchange.map(({ externalId }) => externalId))).size;
    terminal.result(
      `${counted(withdrawn, "card")} withdrawn; ${late} at the exchange, or possibly there; ${left} left of those accepted before ${found.completeTo}.`,
    );
    for (const { externalId, why } of [...tooLate, ...failed]) terminal.result(`${externalId}: ${why}`);
  }
  if (left > 0) {
    terminal.note(
      "Run the same command again to withdraw the others. If the vendor still sends, disable its account first.",
    );
    return exitCode.unfinished;
  }
  return tooLate.length + atExchange.length > 0 ? exitCode.refused : exitCode.done;
}

/** Makes the function that withdraws one card of a stage. */
function createWithdrawal({ outputs, client, stage }: Target) {
  const sqs = new SQSClient(client("sqs"));
  const { cardRetentionDays, delivery, union } = settings[stage];
  const dynamodb = new DynamoDBClient(client("dynamodb"));
  const dependencies = {
    table: scorecardTable(outputs.ScorecardTableName, dynamodb, cardRetentionDays),
    send: (wakeUps: readonly WakeUp[]) => sendWakeUps(sqs, outputs.DeliveryQueueUrl, wakeUps),
    now: () => new Date(),
    timing: postTiming(delivery.postTimeoutSeconds),
    timeZone: union.timeZone,
    wait,
  };
  return (apiSet: ApiSet, externalId: string) => withdraw(apiSet, externalId, dependencies);
}
