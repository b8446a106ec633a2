import type { CardChange, StoredCard } from "../life/card.ts";
import { asRead } from "../life/change-card.ts";
import { isFinal } from "../life/states.ts";
import { hasMissedPost } from "./decide.ts";
import { attemptAfter, firstPostAt, noteMissed, retryWait } from "./posts.ts";
import type { WakeUp, WakeUpCard } from "./queue.ts";
import type { Due, VendorRun } from "./run.ts";
import { clockDifference, delaySeconds, type PostTiming, recording } from "./timing.ts";

/** Limit of a message's size: by so many claims that may be made late a wake-up counts. */
const maxRefusedClaims = 3;

/**
 * Plans a card's next attempt before this one, so that a duplicate of its wake-up, or another run, posts nothing: the next wake-up makes
 * all others void. Only the run whose change is written posts the card. Nothing more has to be stored if the post fails, or if the run
 * dies.
 *
 * The next wake-up also counts if the card stays as it was read. So a claim that is refused needs no other wake-up.
 *
 * @param wakeUp the card's own; if a run died with it, the change says that the exchange may have the card
 * @param random from 0 to below 1
 */
function claimCard(
  card: StoredCard,
  wakeUp: WakeUpCard,
  { now, timing, random }: { readonly now: number; readonly timing: PostTiming; readonly random: number },
): { readonly change: CardChange; readonly wakeUp: WakeUp } {
  const { apiSet, externalId, state, since, posts, suspicion, nextAttemptAt } = card;
  const isDelivered = isFinal(state);
  const isAlone = isDelivered || suspicion !== undefined;
  const age = now - (isDelivered ? since : (firstPostAt(card) ?? now));
  const postEnd = timing.readToPostEnd + recording + clockDifference;
  const next = Math.max(now + postEnd, isAlone ? attemptAfter(retryWait(age), now, random) : 0);
  // The note also makes the claim of another run lose if there is no next attempt that both expect.
  const isMaybe = wakeUp.maybePosted === true && nextAttemptAt === undefined;
  const isNoted = !isDelivered && (isMaybe || hasMissedPost(card, wakeUp));
  const wokenBefore = card.wokenAt ?? card.acceptedAt;
  // Wake-ups from before are void even if they were made by a clock that is ahead.
  const madeAt = Math.max(now, wokenBefore + 1);
  const refusedClaims = [wakeUp.madeAt, ...(wakeUp.alsoMadeAt ?? [])].filter((time) => time > wokenBefore);
  return {
    change: {
      apiSet,
      externalId,
      expects: { ...asRead(card), ...(posts && { posts }), ...(nextAttemptAt && { nextAttemptAt }) },
      set: {
        wokenAt: madeAt,
        nextAttemptAt: next,
        ...(isNoted && noteMissed(card, now)),
      },
    },
    wakeUp: {
      ...{ ...wakeUp, apiSet, madeAt, mark: wakeUp.mark ?? "inserted" },
      alsoMadeAt: [wokenBefore, ...refusedClaims.slice(0, maxRefusedClaims)],
      delaySeconds: delaySeconds(next - now),
    },
  };
}

/**
 * Claims cards: their next wake-ups are sent first, and are all that is left of those whose claims are lost or refused.
 *
 * @returns those that the run has for itself, which must be read again
 */
export async function claimCards(run: VendorRun, cards: readonly Due[]): Promise<readonly Due[]> {
  const { apiSet, waitingSince, dependencies } = run;
  const { send, table, settings, random, report } = dependencies;
  const now = run.now();
  const claims = cards.map((due) =>
    claimCard(due.card, due.wakeUp, { now, timing: settings.timing, random: random() }),
  );
  await send(claims.map(({ wakeUp }) => wakeUp));
  const written = await table.tryWrite(claims.map(({ change }) => change)).catch((error: unknown) => {
    report({ kind: "failed", apiSet, error });
    return [];
  });
  waitingSince.push(...cards.flatMap(({ card, isRepost }) => (isRepost ? [] : card.acceptedAt)));
  return cards.flatMap((due, n): Due[] => {
    const next = claims[n];
    if (next === undefined || written[n] !== "written") return [];
    const { apiSet: _, delaySeconds: delay, ...wakeUp } = next.wakeUp;
    const claim = { at: now, backAt: now + delay * 1000 };
    return [{ ...due, wakeUp: { ...wakeUp, claim }, readAt: Number.NEGATIVE_INFINITY }];
  });
}
