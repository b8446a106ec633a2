import type { LocalRun } from "@scorecard-pipeline/local-aws";
import type { ApiSet } from "../../core/accounts/account.ts";
import { type PlannedChange, planCard } from "../../core/cards/delivery/plan.ts";
import { sendWakeUps } from "../../core/cards/delivery/queue.ts";
import { scorecardTable } from "../../core/cards/delivery/scorecard-table.ts";
import { postTiming } from "../../core/cards/delivery/timing.ts";
import { contentOf } from "../../core/cards/life/card-content.ts";
import { clientsOf } from "./local-clients.ts";

/** A card as a vendor sends it. */
interface VendorCard {
  readonly ExternalID: string;
}

const tenDays = 10 * 86_400_000;

function changesOf(apiSet: ApiSet, cards: readonly VendorCard[], age = tenDays): PlannedChange[] {
  const acceptance = { now: Date.now() - age, requestId: "long ago", timing: postTiming(1) };
  return cards.flatMap((card) => {
    const { ExternalID: externalId } = card;
    const content = contentOf({ ...card, ID: crypto.randomUUID() });
    const valid = { index: 0, externalId, contentHash: `of long ago: ${externalId}`, content };
    const plan = planCard({ apiSet, externalId }, valid, undefined, acceptance);
    return plan.kind === "change" ? [plan] : [];
  });
}

/** Stores cards without a wake-up: they wait, and nothing of them has been sent. */
export const acceptWithoutWakeUp = (
  run: LocalRun,
  apiSet: string,
  cards: readonly VendorCard[],
): Promise<void> => accept(run, changesOf(apiSet as ApiSet, cards, 0), undefined);

/** Stores cards as if they had been tried for ten days, which is longer than cards are tried: the next failure is the last. */
export async function tryLongAgo(run: LocalRun, apiSet: string, cards: readonly VendorCard[]): Promise<void> {
  const at = Date.now() - tenDays;
  const failure = { phase: "before", message: "The exchange could not be reached." } as const;
  const posts = [{ version: 1, from: at, to: at, posts: 1, answer: "neverSent", failure }] as const;
  await accept(
    run,
    changesOf(apiSet as ApiSet, cards).map(({ change, wakeUps }) => {
      return { change: { ...change, set: { ...change.set, posts } }, wakeUps };
    }),
    run.resource("DeliveryQueue"),
  );
}

/**
 * Stores cards as if they had been accepted ten days ago, and not posted yet.
 *
 * @param queueUrl where their wake-ups go; the delivery queue if left out
 */
export async function acceptLongAgo(
  run: LocalRun,
  apiSet: string,
  cards: readonly VendorCard[],
  queueUrl = run.resource("DeliveryQueue"),
): Promise<void> {
  await accept(run, changesOf(apiSet as ApiSet, cards), queueUrl);
}

async function accept(
  run: LocalRun,
  planned: readonly PlannedChange[],
  queueUrl: string | undefined,
): Promise<void> {
  const { dynamodb, sqs } = clientsOf(run);
  // Stored first: a wake-up that is so old is dropped if its card is not there.
  await scorecardTable(run.resource("ScorecardTable"), dynamodb).write(planned.map(({ change }) => change));
  if (queueUrl === undefined) return;
  await sendWakeUps(
    sqs,
    queueUrl,
    planned.flatMap(({ wakeUps }) => wakeUps),
  );
}
