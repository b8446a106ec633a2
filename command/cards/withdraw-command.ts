import { setTimeout as wait } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SQSClient } from "@aws-sdk/client-sqs";
import pMap from "p-map";
import type { ApiSet } from "../../core/accounts/account.ts";
import { sendWakeUps, type WakeUp } from "../../core/cards/delivery/queue.ts";
import { scorecardTable } from "../../core/cards/delivery/scorecard-table.ts";
import { postTiming } from "../../core/cards/delivery/timing.ts";
import { isWithdrawable, State } from "../../core/cards/life/states.ts";
import type { StoredStatus } from "../../core/cards/status.ts";
import { withdraw } from "../../core/cards/withdraw.ts";
import { RefusalError } from "../../core/golf/refusal.ts";
import { settings } from "../../lib/settings.ts";
import { progressDisplay } from "../../local/progress-display.ts";
import { errorLine } from "../base/error-line.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { findTarget } from "../base/find-target.ts";
import { tableLines } from "../base/table-lines.ts";
import type { Target } from "../base/target.ts";
import { counted, type Terminal } from "../base/terminal.ts";
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

/** The cards of a time that can be withdrawn, and those that the exchange has, or may have, if only in an earlier content. */
function sortOut({ cards }: FoundCards) {
  return {
    waiting: cards.filter(
      ({ state, maybeDelivered }) => state !== "unknown" && isWithdrawable(state) && !maybeDelivered,
    ),
    atExchange: cards.filter(({ state }) => state === State.delivered),
    maybeAtExchange: cards.filter(({ maybeDelivered }) => maybeDelivered),
  };
}

const notWithdrawable =
  "The exchange has, or may have, an earlier content of these cards. Those that wait are delivered: their vendor must send corrections.";

const rowOf = ({ externalId, acceptedAt, state }: StoredStatus) => [externalId, acceptedAt, state];

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
  const found = await cardsOfTime(target, options, terminal.note);
  const { waiting, atExchange, maybeAtExchange } = sortOut(found);
  if (options.json) {
    terminal.json({ toWithdraw: waiting, atExchange, maybeAtExchange, completeTo: found.completeTo });
  } else {
    terminal.result(tableLines(["To withdraw", "Accepted", "State"], waiting.map(rowOf)));
    if (maybeAtExchange.length > 0) {
      const rows = maybeAtExchange.map(rowOf);
      terminal.result(tableLines(["Not to be withdrawn", "Accepted", "State"], rows));
      terminal.result(notWithdrawable);
    }
    terminal.result(
      `${counted(found.cards.length, "card")} accepted in this time, up to ${found.completeTo}: ${stateCounts(found.cards) || "none"}.`,
    );
    terminal.result(
      `Nothing is changed. With --yes the same command withdraws ${counted(waiting.length, "card")}; ${atExchange.length} delivered cannot be withdrawn.`,
    );
  }
  return waiting.length + atExchange.length + maybeAtExchange.length > 0 ? exitCode.refused : exitCode.done;
}

interface NotWithdrawn {
  readonly externalId: string;
  /** The version that it was tried to withdraw: a later one has been sent since, and is tried, too. */
  readonly version: number;
  readonly isTooLate: boolean;
  readonly why: string;
}

/** Withdraws what it finds, and looks again until a look finds nothing more: the vendor may send cards while it works. */
async function withdrawAll(options: WithdrawOptions, target: Target, terminal: Terminal): Promise<ExitCode> {
  const withdrawOne = createWithdrawal(target);
  const display = progressDisplay(terminal.progress);
  const refused = new Map<string, NotWithdrawn>();
  let withdrawn = 0;
  terminal.note(
    "Each card takes up to 16 seconds, until no post of it can be under way; fifty are withdrawn at a time.",
  );
  const tryOne = async (apiSet: ApiSet, { externalId, version = 0 }: StoredStatus) => {
    if (terminal.signal.aborted) return;
    try {
      await withdrawOne(apiSet, externalId);
      refused.delete(externalId);
      withdrawn += 1;
    } catch (error) {
      const refusal = error instanceof RefusalError ? error.refusal : undefined;
      const why = refusal !== undefined && "detail" in refusal ? refusal.detail : errorLine(error);
      refused.set(externalId, { externalId, version, isTooLate: refusal?.kind === "conflict", why });
    }
  };
  const isTried = ({ externalId, version = 0 }: StoredStatus) =>
    version <= (refused.get(externalId)?.version ?? Number.NEGATIVE_INFINITY);
  const look = async (): Promise<FoundCards> => {
    for (let looks = 1; ; looks++) {
      const found = await cardsOfTime(target, options, looks === 1 ? terminal.note : () => undefined);
      const untried = sortOut(found).waiting.filter((card) => !isTried(card));
      if (untried.length === 0 || looks === maxLooks || terminal.signal.aborted) return found;
      const total = withdrawn + refused.size + untried.length;
      const work = async (card: StoredStatus) => {
        await tryOne(found.apiSet, card);
        const done = Math.min(total, withdrawn + refused.size);
        const text = `${withdrawn} of ${total} withdrawn`;
        const line = `${text}, of those up to ${found.completeTo}`;
        display.show({ done, total, text, line, step: Math.floor((10 * done) / total) });
      };
      await pMap(untried, work, { concurrency: parallelWithdrawals });
    }
  };
  // A bar that is not ended keeps the process from ending.
  const found = await look()
    .finally(() => display.end())
    .catch((error: unknown) => {
      terminal.note(
        `${counted(withdrawn, "card")} withdrawn before this failed; run the same command again.`,
      );
      throw error;
    });
  return tellWithdrawn({ withdrawn, refused: [...refused.values()] }, found, options, terminal);
}

function tellWithdrawn(
  { withdrawn, refused }: { readonly withdrawn: number; readonly refused: readonly NotWithdrawn[] },
  found: FoundCards,
  options: WithdrawOptions,
  terminal: Terminal,
): ExitCode {
  const { waiting, atExchange, maybeAtExchange } = sortOut(found);
  const left = waiting.length;
  const isLeft = new Set(waiting.map(({ externalId }) => externalId));
  const { tooLate = [], failed = [] } = Object.groupBy(refused, ({ externalId, isTooLate }) =>
    isTooLate && !isLeft.has(externalId) ? "tooLate" : "failed",
  );
  const late = new Set([...tooLate, ...atExchange, ...maybeAtExchange].map(({ externalId }) => externalId));
  if (options.json) {
    const names = (cards: readonly StoredStatus[]) => cards.map(({ externalId }) => externalId);
    const reasons = (some: readonly NotWithdrawn[]) =>
      some.map(({ externalId, why }) => ({ externalId, why }));
    terminal.json({
      withdrawn,
      tooLate: reasons(tooLate),
      failed: reasons(failed),
      left,
      delivered: names(atExchange),
      maybeDelivered: names(maybeAtExchange),
      completeTo: found.completeTo,
    });
  } else {
    terminal.result(
      `${counted(withdrawn, "card")} withdrawn; ${late.size} at the exchange, or possibly there; ${left} left of those accepted before ${found.completeTo}.`,
    );
    for (const { externalId, why } of refused) terminal.result(`${externalId}: ${why}`);
    if (maybeAtExchange.length > 0) {
      terminal.result(tableLines(["Not withdrawn", "Accepted", "State"], maybeAtExchange.map(rowOf)));
      terminal.result(notWithdrawable);
    }
  }
  if (left > 0) {
    terminal.note(
      "Run the same command again to withdraw the others. If the vendor still sends, disable its account first.",
    );
    return exitCode.unfinished;
  }
  return late.size > 0 ? exitCode.refused : exitCode.done;
}

function createWithdrawal({ outputs, client, stage }: Target) {
  const sqs = new SQSClient(client("sqs"));
  const { cardRetentionDays, timing, union } = settings[stage];
  const dynamodb = new DynamoDBClient(client("dynamodb"));
  const dependencies = {
    table: scorecardTable(outputs.ScorecardTableName, dynamodb, cardRetentionDays),
    send: (wakeUps: readonly WakeUp[]) => sendWakeUps(sqs, outputs.DeliveryQueueUrl, wakeUps),
    now: () => new Date(),
    timing: postTiming(timing.post),
    timeZone: union.timeZone,
    wait,
  };
  return (apiSet: ApiSet, externalId: string) => withdraw(apiSet, externalId, dependencies);
}
