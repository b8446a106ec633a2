import pMap from "p-map";
import type { IncomingMessage } from "../aws/receive-messages.ts";
import { delaySeconds } from "../cards/delivery/timing.ts";
import type { WebhookEndpoint } from "./endpoint.ts";
import type { EndpointRun, WebhookDeliveryDependencies } from "./endpoint-run.ts";
import { followFeed } from "./follow-feed.ts";
import { postToEndpoint } from "./post-to-endpoint.ts";
import { createFeedWakeUp, readWebhookMessage } from "./queue.ts";
import { tellNotice } from "./tell-vendor.ts";

type ReadWebhook = NonNullable<ReturnType<typeof readWebhookMessage>>[number];
type Received = Pick<IncomingMessage, "messageId" | "body">;

const parallelEndpoints = 10;

/**
 * Makes the function that posts a batch of events to their endpoints, and sends to queues what the feed has for them.
 *
 * An endpoint that fails gets no post until its next attempt, which one run claims; its events go back to the queue
 * meanwhile. So other endpoints wait for one failed post at most. An endpoint that is slow, or new, gets one post at a time, which a
 * run claims, too: however many events wait for a vendor's endpoints, they hold no more runs than the vendor has endpoints.
 *
 * @returns a function from messages, and the milliseconds left, to the IDs of those that failed
 */
export function createWebhookDelivery(dependencies: WebhookDeliveryDependencies) {
  const { report } = dependencies;
  return async function deliver(received: readonly Received[], remaining: () => number): Promise<string[]> {
    const failed: string[] = [];
    const read = received.flatMap(({ messageId, body }) => {
      const messages = readWebhookMessage(body);
      if (messages === undefined) failed.push(messageId);
      return (messages ?? []).map((message) => ({ messageId, message }));
    });
    if (failed.length > 0) report({ kind: "unreadable", messages: failed.length });
    // A notice that cannot be told holds up no events.
    const groups = Map.groupBy(read, ({ message }) => `${nameOf(message)} ${"notice" in message}`);
    await pMap(
      groups.values(),
      async (group) => {
        try {
          const messages = group.map(({ message }) => message);
          await handle(messages, dependencies, remaining);
        } catch (error) {
          report({ kind: "error", error });
          failed.push(...group.map(({ messageId }) => messageId));
        }
      },
      { concurrency: parallelEndpoints },
    );
    return [...new Set(failed)];
  };
}

const nameOf = ({ apiSet, endpointId }: ReadWebhook) => `${apiSet} ${endpointId}`;

/** Tells an endpoint what is for it, and queues what is to be told later. */
async function handle(
  messages: readonly ReadWebhook[],
  dependencies: WebhookDeliveryDependencies,
  remaining: () => number,
): Promise<void> {
  const notices = messages.filter((message) => "notice" in message);
  for (const notice of notices) await tellNotice(notice, dependencies);
  const [first] = messages;
  if (first === undefined || notices.length > 0) return;
  const { apiSet, endpointId: id } = first;
  const endpoint = await dependencies.endpoints.find(apiSet, id);
  const results = { later: [], attempts: [], dueAt: Number.POSITIVE_INFINITY };
  const run: EndpointRun = { ...dependencies, remaining, endpoint, ...results };
  await postToEndpoint(
    messages.filter((message) => "eventId" in message),
    run,
  );
  // Whoever adds events to the feed while a queue fails sends it no wake-up.
  const hasTurned = (endpoint?.failing === undefined) !== (run.endpoint?.failing === undefined);
  const isWoken = hasTurned || messages.some((message) => "isWakeUp" in message);
  const wakeAt = isWoken ? await followFeed(run) : undefined;
  if (wakeAt !== undefined) {
    run.later.push(createFeedWakeUp({ apiSet, id }, delaySeconds(wakeAt - run.now())));
  }
  if (run.later.length > 0) await run.send(run.later);
  await noteRun({ apiSet, id }, run);
}

/**
 * Stores the attempts of a run, and when the first event that waits is due at a failing endpoint. The events are posted or back in
 * the queue by then, so what fails here is only reported.
 */
async function noteRun(
  { apiSet, id }: Pick<WebhookEndpoint, "apiSet" | "id">,
  { endpoint, attempts, dueAt, endpoints, keepAttempts, report }: EndpointRun,
): Promise<void> {
  const notes: Promise<unknown>[] = [keepAttempts(apiSet, id, attempts)];
  const { failing } = endpoint ?? {};
  if (endpoint !== undefined && failing !== undefined) {
    const first = Math.max(dueAt, failing.nextAttemptAt);
    if (first < (failing.dueAt ?? Number.POSITIVE_INFINITY))
      notes.push(endpoints.update(endpoint, { failing: { ...failing, dueAt: first } }));
  }
  for (const note of await Promise.allSettled(notes)) {
    if (note.status === "rejected") report({ kind: "notNoted", error: note.reason });
  }
}
