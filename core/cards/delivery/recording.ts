import type { StoredCard } from "../life/card.ts";
import { changeCard } from "../life/change-card.ts";
import { State } from "../life/states.ts";
import { latestOutage } from "./breaker.ts";
import { type DueCard, nameOf } from "./decide.ts";
import type { WakeUp } from "./queue.ts";
import { type CardOutcome, type CardResult, isDelayed, recordOutcome, withArrival } from "./record.ts";
import type { VendorRun } from "./run.ts";
import { delaySeconds } from "./timing.ts";

/** A card with the result of an attempt to post it. */
interface CardAttempt {
  readonly due: DueCard;
  readonly result: CardResult;
}

/** What a run has learned about a card, and the card as it is stored. */
interface LearnedOutcome {
  readonly due: DueCard;
  readonly outcome: CardOutcome;
  readonly card: StoredCard;
}

/** Records that the exchange may have cards, as far as that is not recorded yet. @param names all if left out */
export async function recordUnclear(run: VendorRun, names?: ReadonlySet<string>): Promise<void> {
  const wanted = [...run.unclear.values()].filter(({ due }) => names?.has(nameOf(due)) ?? true);
  await record(
    run,
    wanted.map(({ due }) => ({ due, result: { kind: "noted" } })),
  );
}

/**
 * Records the results of posts, and plans the wake-ups of suspects. The wake-up of a second post is sent before the outcome is
 * recorded, so a recorded outcome always has it in the queue.
 *
 * @throws TableBatchError or QueueBatchError: some may not be recorded; RefusalError `unavailable` if other runs keep changing a card
 */
export async function record(run: VendorRun, attempts: readonly CardAttempt[]): Promise<void> {
  const { unclear, dependencies } = run;
  const { table } = dependencies;
  const learned = attempts.map(({ due, result }): LearnedOutcome => {
    const { wakeUp, card, isRepost } = due;
    const outcome = { posted: wakeUp.version, result, unclear: unclear.get(nameOf(due)), isRepost };
    unclear.delete(nameOf(due));
    return { due, outcome, card };
  });
  let lost: readonly ChangedCard[] = [];
  const read = async () => {
    const found = await table.read(lost.map(({ card }) => card));
    const stored = new Map(found.map((card) => [card.externalId, card]));
    return lost.flatMap((one) => {
      const card = stored.get(one.card.externalId);
      return card === undefined ? [] : [{ ...one, card }];
    });
  };
  const write = async (changed: readonly ChangedCard[]) => {
    if (changed.length === 0) return true;
    await sendReposts(run, changed);
    const results = await table.write(changed.map(({ change }) => change));
    const { written = [], lost: others = [] } = Object.groupBy(changed, (_, n) => results[n] ?? "lost");
    noteWritten(run, written);
    lost = others;
    return lost.length === 0;
  };
  await changeCard(learned, { read, write }, (latest) => ({
    change: latest.flatMap((one) => changeAfter(run, one)),
    result: undefined,
  }));
}

async function sendReposts({ apiSet, dependencies }: VendorRun, changed: readonly ChangedCard[]) {
  const { send, settings } = dependencies;
  const delay = delaySeconds(settings.timing.lateFinish);
  const reposts = changed
    .filter(({ card, change }) => card.mustWait && change.set.state === State.delivered)
    .map(({ due: { wakeUp }, card: { version } }): WakeUp => {
      return { ...wakeUp, version, apiSet, mark: "repost", delaySeconds: delay };
    });
  if (reposts.length > 0) await send(reposts);
}

/** Reports what was recorded, and plans the next wake-ups of suspects. */
function noteWritten(run: VendorRun, written: readonly ChangedCard[]): void {
  const { apiSet, later, now } = run;
  reportRecorded(run, written);
  for (const { due, change } of written) {
    const { nextAttemptAt } = change.set;
    if (nextAttemptAt === undefined) continue;
    later.push({ ...due.wakeUp, apiSet, delaySeconds: delaySeconds(nextAttemptAt - now()) });
  }
}

type ChangedCard = ReturnType<typeof changeAfter>[number];

/** The change that records an outcome, if there is anything new. */
function changeAfter({ apiSet, breaker, now, dependencies }: VendorRun, learned: LearnedOutcome) {
  const { giveUpMilliseconds, timeZone } = dependencies.settings;
  const wasOpen = breaker.current().open !== undefined;
  const context = { now: now(), giveUpMilliseconds, wasOpen, random: dependencies.random() };
  const { externalId, content } = learned.card;
  const update = recordOutcome(learned.card, learned.outcome, context);
  if (update === undefined) return [];
  return [{ ...learned, change: { apiSet, externalId, ...withArrival(update, content, timeZone) } }];
}

function reportRecorded({ breaker, now, dependencies }: VendorRun, written: readonly ChangedCard[]): void {
  const outage = latestOutage(breaker.current());
  for (const [state, changed] of Map.groupBy(written, ({ change }) => change.set.state)) {
    if (state === undefined) continue;
    const isLate = ({ card }: ChangedCard) => state === State.delivered && isDelayed(card, outage, now());
    dependencies.report({
      kind: "recorded",
      state,
      cards: changed.length,
      delayed: changed.filter(isLate).length,
    });
  }
}
