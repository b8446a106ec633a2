import type { Activity, CardRefusal, CardStatus, FilledScorecard, WebhookAttempt } from "../api-types.ts";
import { CardState } from "../card-states.ts";
import type { ScorecardsClient } from "../client.ts";
import { inParallel } from "../in-parallel.ts";
import type { WebhookTrial } from "../webhook-endpoints.ts";

/** A card as the API has it; `card` is absent if its player was erased. */
export interface SeenCard {
  readonly status: CardStatus;
  readonly card?: FilledScorecard | undefined;
}

/** A webhook endpoint, with what it answered to a test event and to one that was forged, and what was posted to it. */
export interface SeenEndpoint {
  readonly genuine: WebhookTrial;
  readonly forged: WebhookTrial;
  /** The latest last. */
  readonly attempts: readonly WebhookAttempt[];
}

/** What the API has seen of a vendor in some time. Nothing of it is from the vendor's own words. */
export interface SeenByApi {
  /** When it was asked; ISO 8601, UTC. */
  readonly at: string;
  readonly cards: readonly SeenCard[];
  readonly refusals: readonly CardRefusal[];
  readonly endpoints: readonly SeenEndpoint[];
  readonly activity: Pick<Activity, "totals" | "refusals">;
}

/** Of more cards the contents are not read: the deeds are done in a few. */
const maxContents = 300;

/**
 * Asks the API for what it has seen of the vendor on some days, and tries each endpoint with a test event and a forged one.
 *
 * @param days until today
 */
export async function readSeen(
  client: ScorecardsClient,
  days: { readonly from: string },
): Promise<SeenByApi> {
  const activity = await client.activity(days);
  const cards = new Map<string, SeenCard>();
  for await (const status of client.cardsOfDays(days)) cards.set(status.externalId, { status });
  const refusals: CardRefusal[] = [];
  for await (const refusal of client.refusals(days)) refusals.push(refusal);
  const newest = [...cards.values()].slice(-maxContents);
  const reading = inParallel(newest, 4, async ({ status }) => {
    const stored = await client.card(status.externalId).catch(() => undefined);
    cards.set(status.externalId, { status, card: stored?.card });
  });
  for await (const _ of reading);
  const endpoints: SeenEndpoint[] = [];
  for (const { id, roleArn, state } of await client.webhooks()) {
    // An event in a queue of the vendor's own is not signed.
    if (roleArn !== undefined || state === "disabled") continue;
    const genuine = await client.testWebhook(id);
    const forged = await client.testWebhook(id, { forged: true });
    endpoints.push({ genuine, forged, attempts: (await client.webhookAttempts(id)).toReversed() });
  }
  const at = new Date().toISOString();
  return { at, cards: [...cards.values()], refusals, endpoints, activity };
}

/** Whether a card is delivered. */
export const isDelivered = ({ status }: SeenCard): boolean => status.state === CardState.delivered;

/** Whether a card had an outcome before the one that it has. */
export const had = ({ status }: SeenCard, state: CardState): boolean =>
  status.earlier?.some((outcome) => outcome.state === state) ?? false;
