import type { ApiSet } from "../accounts/account.ts";
import { conflict, orUnavailable, RefusalError } from "../golf/refusal.ts";
import type { Breaker } from "./delivery/breaker.ts";
import { changeCard, concludeWithdrawal, enqueue, type PlannedChange } from "./delivery/plan.ts";
import type { WakeUp } from "./delivery/queue.ts";
import type { ScorecardTable } from "./delivery/scorecard-table.ts";
import { clockDifference, delaySeconds, type PostTiming, recording } from "./delivery/timing.ts";
import { asRead, isMaybeDelivered, isMissedByWithdrawal, type StoredCard } from "./life/card.ts";
import { isFinal, State } from "./life/states.ts";
import type { ResendDependencies } from "./resend.ts";

/** The table, the queue and the clock that a card is withdrawn with. */
export interface WithdrawalDependencies extends ResendDependencies {
  readonly table: Pick<ScorecardTable, "read" | "write" | "readWithBreaker">;
  readonly wait: (milliseconds: number) => Promise<unknown>;
  /** The IANA name of the union's time zone. */
  readonly timeZone: string;
}

const delivered = "The card has been delivered to the exchange. Send a correction instead.";
const maybeDelivered =
  "The exchange has an earlier content of the card, or may have the card, since it did not answer a post. Delivery resumed; send a correction instead.";
const foundLate =
  "The card was withdrawn, but the exchange has it, or may have it, by a post that was not known then. Send a correction instead.";
const refused = "The exchange has refused the card already; there is nothing to withdraw.";
const refusedLate =
  "The exchange has refused the card, but has an earlier content of it, or may have the card by a post that it did not answer. Send a correction instead.";
const sentAgain =
  "The card was submitted with other content while it was being withdrawn, and that will be delivered. Withdraw it again.";
const notStored = "The withdrawal could not be stored.";
const tooLate = (detail: string) => conflict("Too late to withdraw", detail);

/**
 * Withdraws a card that has not been delivered.
 *
 * The card is `withdrawing` first, so no later run posts it. A run that read it before may still be posting it; so this waits until
 * no such post can be under way, reads the card again, and only then says what became of it. If this request dies meanwhile, a
 * wake-up has a run decide. Both miss a post that its run could not record, because the run died or the table did not answer; when
 * that run's wake-up comes back, it is noted on the card.
 *
 * @throws RefusalError `noSuchCard`, `conflict` if the exchange has it or may have it, or it was submitted again meanwhile,
 *   `unavailable` if it could not be stored
 */
export async function withdraw(
  apiSet: ApiSet,
  externalId: string,
  dependencies: WithdrawalDependencies,
): Promise<void> {
  const { table, now, wait, timing } = dependencies;
  const read = async () => {
    const { breaker, cards } = await orUnavailable(notStored, table.readWithBreaker(apiSet, [externalId]));
    const [card] = cards;
    if (card === undefined) throw new RefusalError({ kind: "noSuchCard" });
    return { breaker, card };
  };
  const write = async (planned: PlannedChange) => {
    const [result] = await orUnavailable(notStored, enqueue([planned], dependencies));
    return result === "written";
  };

  const begun = await changeCard(await read(), { read, write }, ({ card }) =>
    beginWithdrawal(card, now().getTime(), timing),
  );
  if (begun === undefined) return;
  const { found, withdrawal } = begun;

  const seenAt = now().getTime();
  let latest = await read();
  const lastRead = lastReadBefore(withdrawal, found, latest.breaker, seenAt, timing);
  const remaining = lastRead + timing.readToPostEnd + recording - now().getTime();
  if (remaining > 0) {
    await wait(remaining);
    latest = await read();
  }
  const concluded = await changeCard(latest, { read, write }, ({ card }) => {
    if (card.version !== withdrawal.version) throw conflict("Sent again", sentAgain);
    // A run that saw the card withdrawn, by this request or another, may have recorded its post since.
    if (isMissedByWithdrawal(card)) throw tooLate(foundLate);
    if (card.state === State.withdrawn || card.state === State.delivered) return { result: card.state };
    const planned = concludeWithdrawal(card, { ...dependencies, now: now().getTime() });
    return { change: planned, result: planned.change.set.state };
  });
  if (concluded !== State.withdrawn)
    throw tooLate(concluded === State.delivered ? delivered : maybeDelivered);
}

/**
 * How a withdrawal begins: with the change, and the wake-up by which a run decides it if the request dies.
 *
 * @returns the card as it was found and as it is being withdrawn; undefined if it is withdrawn already
 */
function beginWithdrawal(found: StoredCard, now: number, timing: PostTiming) {
  const { apiSet, externalId, state, since } = found;
  if (state === State.withdrawing) return { result: { found, withdrawal: found } };
  if (state === State.delivered) throw tooLate(delivered);
  if (state === State.rejected) throw tooLate(isMaybeDelivered(found) ? refusedLate : refused);
  if (isMaybeDelivered(found)) throw tooLate(state === State.withdrawn ? foundLate : maybeDelivered);
  if (state === State.withdrawn) return { result: undefined };
  const version = found.version + 1;
  const set = { version, state: State.withdrawing, since: now, wokenAt: undefined, nextAttemptAt: undefined };
  const expects = { ...asRead(found), since };
  const wait = delaySeconds(timing.readToPostEnd + recording + clockDifference);
  // If the withdrawal is refused, another writer may make this version.
  const wakeUp: WakeUp = { apiSet, externalId, version, madeAt: now, mark: "inserted", delaySeconds: wait };
  return {
    change: { change: { apiSet, externalId, expects, set }, wakeUps: [wakeUp] },
    result: { found, withdrawal: { ...found, ...set } },
  };
}

/**
 * When a run may last have read the card for a post; from then on the card was not to be posted, or was withdrawn.
 *
 * While the breaker is open only the card of the probe is posted, for a run reads the breaker with each card, and a probe's card
 * once more when it is claimed.
 *
 * @param withdrawal the card as it is being withdrawn
 * @param before the card before that
 * @param breaker as it was read while the card was being withdrawn
 * @param seenAt when the card was seen to be withdrawing, by this request's clock; all other times may be by other clocks
 */
function lastReadBefore(
  withdrawal: StoredCard,
  before: StoredCard,
  { open }: Breaker,
  seenAt: number,
  { post, readToPostEnd }: PostTiming,
): number {
  const atLatest = (time: number) => Math.min(seenAt, time + clockDifference);
  const { since, externalId } = withdrawal;
  // No run posts a card that was given up, unless it read the card before that was recorded.
  if (isFinal(before.state)) return atLatest(before.since);
  if (open !== undefined && open.probing !== externalId) {
    // Its post was the one that opened the breaker, and has ended; or it came when nothing was posted any more.
    const hasFailed = before.state === State.retrying && before.since >= open.since - recording;
    const cameLater = before.version === 1 && before.since > open.since + recording + clockDifference;
    return hasFailed || cameLater ? Number.NEGATIVE_INFINITY : atLatest(open.since + recording);
  }
  // A post begins so soon after the read that it relies on; a card whose next attempt is later was read before that was recorded, or
  // when it was claimed.
  const soonest = seenAt + readToPostEnd - post + recording + clockDifference;
  const isPlanned = before.state !== State.withdrawing && (before.nextAttemptAt ?? 0) > soonest;
  return atLatest(isPlanned ? Math.max(before.since, before.wokenAt ?? 0) : since);
}
