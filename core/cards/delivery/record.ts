import { dayOf } from "../../formats/union-time.ts";
import {
  type Arrival,
  asRead,
  type CardChange,
  type CardKey,
  type ExpectedCard,
  type PostFact,
  type StoredCard,
} from "../life/card.ts";
import { type CardContent, dayOfPlay } from "../life/card-content.ts";
import { isOpen, State } from "../life/states.ts";
import { outageEnd } from "./breaker.ts";
import { nameOf } from "./decide.ts";
import {
  answerOf,
  attemptAfter,
  firstPostAt,
  isKnownToBeThere,
  isMaybeThere,
  type NewPost,
  postsOf,
  repostAt,
  retryWait,
  toFacts,
  withPost,
} from "./posts.ts";
import type { WakeUp, WakeUpCard } from "./queue.ts";
import type { Due, Judged, VendorRun } from "./run.ts";
import { delaySeconds, refusedWait } from "./timing.ts";

/** What a record depends on besides card and outcome. */
export interface RecordContext {
  readonly now: number;
  readonly giveUpMilliseconds: number;
  /** See `PostTiming`. */
  readonly lateFinish: number;
  /** When the vendor's breaker opened, if it was open before the post: then an outage is recorded there alone. */
  readonly openSince: number | undefined;
  readonly random: number;
}

/** What the result of a post changes on the card. */
export type OutcomeUpdate = Omit<CardChange, keyof CardKey> & { readonly expects: ExpectedCard };

function newPosts({ due, result }: Judged, known: readonly PostFact[]): NewPost[] {
  const { unrecorded, wakeUp } = due;
  const { version } = wakeUp;
  const isNoted = unrecorded === undefined || isKnownToBeThere(known, version);
  const earlier: NewPost[] = isNoted ? [] : [{ version, answer: "unknown", ...unrecorded }];
  if (result.kind === "noted") return earlier;
  const failure = result.kind === "delivered" ? result.conflict : result.failure;
  const answer = result.kind === "delivered" ? "yes" : answerOf(result.failure);
  return [...earlier, { version, answer, ...(failure && { failure }) }];
}

/**
 * The update after posts of a card: what is known of them, and the state that follows from all that is known.
 *
 * The card may have changed since the post, by another run or its vendor: facts may come in any order, and lead to the same end.
 *
 * @param judged with the card as it is stored now
 * @returns undefined if there is nothing new
 */
export function recordOutcome(judged: Judged, context: RecordContext): OutcomeUpdate | undefined {
  const { card, wakeUp } = judged.due;
  const { version, state } = card;
  const { now } = context;
  const before = postsOf(card);
  let posts = newPosts(judged, before).reduce((known, post) => withPost(known, post, now), before);
  const end = endAfter({ ...card, ...toFacts(card, posts) }, judged, context);
  const isTaken = posts.some((post) => post.answer === "yes" && post.version === version);
  if (end?.state === State.delivered && !isTaken) {
    const { result } = judged;
    const conflict = "failure" in result && { failure: result.failure };
    posts = withPost(posts, { version, answer: "yes", ...conflict }, now);
  }
  const facts = toFacts(card, posts);
  // The waits and the two days of a version begin with its first post, so that one is news even in an outage.
  const isFirst = firstPostAt(card) === undefined && wakeUp.version === version && isOpen(state);
  const wasSent = posts !== before && posts.at(-1)?.answer !== "neverSent";
  const isNews =
    (isFirst && wasSent) ||
    facts.atExchange > card.atExchange ||
    facts.maybeAtExchange > Math.max(card.maybeAtExchange, facts.atExchange) ||
    posts.some(({ version: of }) => !isKnownToBeThere(before, of) && isKnownToBeThere(posts, of));
  if (end === undefined && !isNews) return undefined;
  const expects = { ...asRead(card), ...(card.posts && { posts: card.posts }) };
  // A withdrawn card that the exchange may have is listed by its state, and told once more.
  const told = end === undefined && state === State.withdrawn ? { state, since: now } : {};
  return { expects, set: { ...told, ...end, ...facts } };
}

/** The state that follows from what is known of a card, and what goes with it; undefined if it stays. */
function endAfter(
  card: StoredCard,
  { due: { wakeUp, isRepost }, result }: Judged,
  { now, giveUpMilliseconds, lateFinish, openSince, random }: RecordContext,
): OutcomeUpdate["set"] | undefined {
  const { version, state, attempts } = card;
  const isOfVersion = wakeUp.version === version;
  const isWaiting = isOfVersion && isOpen(state);
  const attempted = { since: now, attempts: attempts + 1, nextAttemptAt: undefined };
  const isRejected = isWaiting && result.kind === "failed" && result.verdict.kind === "rejected";
  const rejection = isRejected ? result.failure : state === State.rejected ? card.failure : undefined;
  const isThere = isOfVersion && result.kind === "delivered" && state !== State.delivered;
  // A 409 says that the exchange has the card, if a post of the same content may have reached it.
  if (isThere || (rejection?.status === 409 && isMaybeThere(card))) {
    const times = isOpen(state) ? attempted : { since: now, nextAttemptAt: undefined };
    return { ...times, state: State.delivered, failure: undefined, wokenAt: undefined };
  }
  if (isRepost && isOfVersion && result.kind !== "noted") {
    // From its first failure on a run claims the card before each second post, and that says when the next one is.
    if (result.kind !== "delivered")
      return card.nextAttemptAt === undefined
        ? { nextAttemptAt: attemptAfter(retryWait(now - card.since), now, random) }
        : undefined;
    const done = { ...card, nextAttemptAt: undefined };
    return {
      nextAttemptAt: undefined,
      ...(repostAt(done, lateFinish) === undefined && { reposted: version }),
    };
  }
  if (!isWaiting || result.kind === "delivered" || result.kind === "postponed" || result.kind === "noted")
    return undefined;
  const { failure } = result;
  const failed = { ...attempted, failure };
  if (isRejected) return { ...failed, state: State.rejected };
  // A card that was held for longer has its two days all the same. While the breaker is open nobody notes each post.
  const triedSince = firstPostAt(card) ?? Math.max(card.acceptedAt, openSince ?? now);
  if (now - triedSince >= giveUpMilliseconds) return { ...failed, state: State.undelivered };
  if (result.kind === "failed" && result.verdict.kind === "suspected") {
    const nextAttemptAt = attemptAfter(result.wait, now, random);
    return { ...failed, state: State.retrying, suspicion: result.verdict.suspicion, nextAttemptAt };
  }
  // An outage is nothing new if the breaker is open, and nothing new of a suspect unless the exchange asks for a longer wait.
  if (openSince !== undefined) return undefined;
  const nextAttemptAt = result.wait ? attemptAfter(result.wait, now, random) : undefined;
  if (card.suspicion !== undefined)
    return (nextAttemptAt ?? 0) > (card.nextAttemptAt ?? 0) ? { nextAttemptAt } : undefined;
  // What failed alone is posted alone from then on: if it is at fault, it holds up no others.
  const alone = result.wait === undefined ? {} : { suspicion: 0, nextAttemptAt };
  return { ...failed, ...alone, state: State.retrying };
}

/** The update of a card; if it says that the card was delivered, it also says whether that was on the day of play. */
export function withArrival<Update extends Pick<CardChange, "set">>(
  update: Update,
  content: Pick<CardContent, "card" | "text">,
  timeZone: string,
): Update {
  const { state, since } = update.set;
  const day = state === State.delivered && since !== undefined ? dayOfPlay(content) : undefined;
  if (day === undefined || since === undefined) return update;
  const arrival: Arrival = dayOf(since, timeZone) <= day ? "onDayOfPlay" : "late";
  return { ...update, set: { ...update.set, arrival } };
}

/** The service objective: a card is delivered within this time of its acceptance, in milliseconds; outages of the union apart. */
export const objectiveTime = 5 * 60_000;

/**
 * Whether a card that has been delivered took longer than the objective allows. What it waited before an outage was over does not
 * count, nor what it waited after a post in vain.
 *
 * @param card as it was read before the delivery
 * @param over when the vendor's latest outage was over; see `outageEnd`
 */
export function isDelayed(card: StoredCard, over: number, now: number): boolean {
  const isOfVersion = (post: PostFact) => post.version === card.version && post.from > 0;
  const posts = postsOf(card).filter(isOfVersion);
  const until = Math.min(now, ...posts.map(({ from }) => from));
  return until - Math.max(card.acceptedAt, over) > objectiveTime;
}

/** Records that the exchange may have cards, if that is not recorded yet. @returns the same cards, now without a note to record */
export async function recordNotes(run: VendorRun, cards: readonly Due[]): Promise<readonly Due[]> {
  const noted = cards.filter(({ unrecorded }) => unrecorded !== undefined);
  await record(
    run,
    noted.map((due) => ({ phase: "judged", due, result: { kind: "noted" } })),
  );
  return cards.map((due) => ({ ...due, unrecorded: undefined }));
}

/**
 * Records what was learned, and plans the wake-ups of suspects. The wake-up of a second post is sent before the outcome is
 * recorded, so a recorded outcome always has it in the queue.
 *
 * A card whose record is refused, or that other runs keep changing, is woken up by itself.
 *
 * @throws TableBatchError or QueueBatchError: some may not be recorded
 */
export async function record(run: VendorRun, judged: readonly Judged[]): Promise<void> {
  let open = judged;
  for (let writes = 0; open.length > 0 && writes < maxWrites; writes++) {
    open = await writeOutcomes(run, writes === 0 ? open : await readAgain(run, open));
  }
  wakeRefused(run, open.map(toRefused));
}

/**
 * Wakes up cards by themselves that the table could not read, or whose record it refused: no other waits for them. Who gets the wake-up
 * of a card whose post is not recorded must claim it before another one.
 */
export function wakeRefused(
  { apiSet, now, later }: Pick<VendorRun, "apiSet" | "now" | "later">,
  cards: readonly { readonly wakeUp: WakeUpCard; readonly isPosted: boolean }[],
): void {
  for (const { wakeUp, isPosted } of cards) {
    const share = (now() - wakeUp.madeAt) * refusedWait.share;
    const wait = Math.min(refusedWait.longest, Math.max(refusedWait.shortest, share));
    const said = isPosted ? { ...wakeUp, maybePosted: true, claim: undefined } : wakeUp;
    later.push({ ...said, apiSet, delaySeconds: delaySeconds(wait) });
  }
}

/** How often an outcome is written if other runs change the card first. */
const maxWrites = 4;

const toRefused = ({ due: { wakeUp } }: Judged) => ({ wakeUp, isPosted: true });

/** Writes what is new. @returns the outcomes whose cards another run has changed since they were read */
async function writeOutcomes(run: VendorRun, judged: readonly Judged[]): Promise<readonly Judged[]> {
  const changed = judged.flatMap((one) => changeAfter(run, one));
  if (changed.length === 0) return [];
  await sendReposts(run, changed);
  const results = await run.dependencies.table.tryWrite(changed.map(({ change }) => change));
  const {
    written = [],
    lost = [],
    refused = [],
  } = Object.groupBy(changed, (_, n) => results[n] ?? "refused");
  reportRecorded(run, written);
  planWakeUps(run, written);
  wakeRefused(run, refused.map(toRefused));
  return lost;
}

async function readAgain(run: VendorRun, lost: readonly Judged[]): Promise<readonly Judged[]> {
  const names = lost.map(({ due }) => nameOf(due));
  const { breaker, cards, unread } = await run.dependencies.table.tryRead(run.apiSet, names);
  // The other run may have opened it; a post that went through closes it.
  run.breaker.notice(breaker);
  wakeRefused(run, lost.filter(({ due }) => unread.has(nameOf(due))).map(toRefused));
  const stored = new Map(cards.map((card) => [card.externalId, card]));
  return lost.flatMap((one) => {
    const card = stored.get(nameOf(one.due));
    return card === undefined ? [] : [{ ...one, due: { ...one.due, card } }];
  });
}

/** Sends the wake-ups of second posts of cards that are going to be recorded as delivered: their own do not count any more. */
async function sendReposts(run: VendorRun, changed: readonly ChangedCard[]): Promise<void> {
  const delivered = changed.filter(
    ({ due, change }) => !due.isRepost && change.set.state === State.delivered,
  );
  const reposts = delivered.flatMap((one): WakeUp[] => {
    const { card, wakeUp } = one.due;
    return wakeAt(run, { ...wakeUp, version: card.version, mark: "repost" }, findRepost(run, one));
  });
  if (reposts.length > 0) await run.dependencies.send(reposts);
}

/** Plans the next wake-ups of cards that failed alone, beside others that went through, and of further second posts. */
function planWakeUps(run: VendorRun, written: readonly ChangedCard[]): void {
  for (const one of written) {
    const { due, result, change } = one;
    // In an outage the run wakes all cards up that it leaves.
    if (result.kind === "outage") continue;
    const retryAt = result.kind === "failed" ? change.set.nextAttemptAt : undefined;
    run.later.push(...wakeAt(run, due.wakeUp, due.isRepost ? findRepost(run, one) : retryAt));
  }
}

const findRepost = ({ dependencies }: VendorRun, { due, change }: ChangedCard): number | undefined =>
  repostAt({ ...due.card, ...change.set } as StoredCard, dependencies.settings.timing.lateFinish);

const wakeAt = ({ apiSet, now }: VendorRun, wakeUp: WakeUpCard, at: number | undefined): WakeUp[] =>
  at === undefined ? [] : [{ ...wakeUp, apiSet, delaySeconds: delaySeconds(at - now()) }];

type ChangedCard = ReturnType<typeof changeAfter>[number];

/** The change that records an outcome, if there is anything new. */
function changeAfter({ apiSet, breaker, now, dependencies }: VendorRun, judged: Judged) {
  const { giveUpMilliseconds, timeZone, timing } = dependencies.settings;
  const openSince = breaker.current().open?.since;
  const { lateFinish } = timing;
  const context = { now: now(), giveUpMilliseconds, lateFinish, openSince, random: dependencies.random() };
  const { externalId, content } = judged.due.card;
  const update = recordOutcome(judged, context);
  if (update === undefined) return [];
  return [{ ...judged, change: { apiSet, externalId, ...withArrival(update, content, timeZone) } }];
}

function reportRecorded({ breaker, now, dependencies }: VendorRun, written: readonly ChangedCard[]): void {
  const over = outageEnd(breaker.current());
  for (const [state, changed] of Map.groupBy(written, ({ change }) => change.set.state)) {
    if (state === undefined) continue;
    const isLate = ({ due }: ChangedCard) => state === State.delivered && isDelayed(due.card, over, now());
    dependencies.report({
      kind: "recorded",
      state,
      cards: changed.length,
      delayed: changed.filter(isLate).length,
    });
  }
}
