import { delaySeconds } from "../cards/delivery/timing.ts";
import { isQueue, isQuick, postTime, slowAnswer, takenInterval, type WebhookEndpoint } from "./endpoint.ts";
import {
  claim,
  type EndpointRefusal,
  type EndpointRun,
  noteFailure,
  noteRecovery,
  sendEvents,
} from "./endpoint-run.ts";
import { updateLatest } from "./endpoint-table.ts";
import type { WebhookMessage } from "./queue.ts";
import { newSecret } from "./sign.ts";

/** The wait before each attempt, the first included, in seconds: three days and three and a half hours together. */
const waits: readonly number[] = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

/** A wait is longer by up to this share of it, so that events that failed together are not all sent again together. */
const jitter = 1 / 5;

/** If attempts come late, for instance because an endpoint fails, no further one is made after this time. Milliseconds. */
const maxAge = 72 * 3_600_000;

/**
 * When an event is posted to an endpoint next: the schedule that Standard Webhooks recommends, ten attempts over three days.
 *
 * @param attempt how many attempts have failed: 0 before the first
 * @param firstAt when the first attempt was made or was to be made, milliseconds since 1970
 * @param now when the last attempt ended, milliseconds since 1970
 * @returns milliseconds since 1970; undefined if the event is given up, after ten attempts or three days
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md, Deliverability and reliability
 */
export function nextAttempt(
  attempt: number,
  firstAt: number,
  now: number,
  random: number,
): number | undefined {
  const wait = waits[attempt];
  if (wait === undefined || now - firstAt >= maxAge) return undefined;
  return now + Math.round(wait * 1000 * (1 + random * jitter));
}

/** How long events stay back that are kept until their vendor's account is enabled. Milliseconds. */
const withheldWait = 900_000;

/** Posts the events that are due to the run's endpoint. Those of a disabled one are dropped. */
export async function postToEndpoint(messages: readonly WebhookMessage[], run: EndpointRun): Promise<void> {
  for (const message of messages) {
    const { endpoint } = run;
    if (endpoint === undefined) return;
    if (message.isTest && endpoint.withheldAt === undefined) await postTest(message, endpoint, run);
    else if (endpoint.disabled === undefined) await postOrPostpone(message, endpoint, run);
  }
}

/** Posts an event that is due, unless another run posts to the endpoint, or this run has no time. */
async function postOrPostpone(message: WebhookMessage, endpoint: WebhookEndpoint, run: EndpointRun) {
  const { endpoints, now } = run;
  const { apiSet, id, failing } = endpoint;
  // The three days of an event that is kept for a disabled account begin once it may be posted.
  if (endpoint.withheldAt !== undefined)
    return postpone({ ...message, firstAt: now() }, now() + withheldWait, run);
  const isFreed = failing === undefined && (message.refusals ?? 0) > 0;
  const due = Math.max(isFreed ? 0 : message.notBefore, failing?.nextAttemptAt ?? 0);
  // An event that is not due waits. If a slow endpoint has used up this run's time, another run posts its other events.
  if (due > now() || run.remaining() < postTime) return postpone(message, due, run);
  const isAlone = failing !== undefined || !isQuick(endpoint, now());
  const claimed = isAlone ? await claim(endpoint, run) : endpoint;
  if (claimed === undefined) {
    // Another run has claimed the attempt or made it.
    run.endpoint = await endpoints.find(apiSet, id);
    postpone(message, run.endpoint === undefined ? now() : freeAt(run.endpoint, now()), run);
    return;
  }
  run.endpoint = claimed;
  const { failure, milliseconds, retryAfter } = await sendEvents(claimed, [message], run);
  if (failure === undefined) await noteTaken(message, claimed, { isAlone, milliseconds }, run);
  else await noteRefused(message, claimed, { failure, earliest: now() + retryAfter }, run);
}

function postpone(message: WebhookMessage, until: number, run: EndpointRun): void {
  run.dueAt = Math.min(run.dueAt, until);
  run.later.push({ ...message, delaySeconds: delaySeconds(until - run.now()) });
}

/** When to look again at an endpoint that another run has claimed: it is done after about as long as the endpoint took last. */
function freeAt({ failing, busyUntil = 0, lastMilliseconds = 0 }: WebhookEndpoint, now: number): number {
  if (failing !== undefined) return failing.nextAttemptAt;
  return Math.min(busyUntil, now + Math.max(slowAnswer, lastMilliseconds));
}

/** Notes that an endpoint took an event, and how quickly. `isAlone`: the run had claimed the endpoint. */
async function noteTaken(
  { firstAt }: WebhookMessage,
  endpoint: WebhookEndpoint,
  { isAlone, milliseconds }: { readonly isAlone: boolean; readonly milliseconds: number },
  run: EndpointRun,
): Promise<void> {
  const { endpoints, now } = run;
  const { apiSet, id, url, roleArn, lastTakenAt = 0 } = endpoint;
  run.report({ kind: "posted", apiSet, waited: now() - firstAt });
  await noteRecovery(endpoint, run);
  if (!isAlone && milliseconds <= slowAnswer && now() - lastTakenAt < takenInterval) return;
  const change = { failing: undefined, lastTakenAt: now(), lastMilliseconds: milliseconds };
  // A claim ends here also if the vendor has changed the endpoint since: its next event would wait for it.
  const endClaim = (latest: WebhookEndpoint) => ({
    ...(latest.url === url && latest.roleArn === roleArn && change),
    busyUntil: undefined,
  });
  const stored = isAlone
    ? await updateLatest(endpoints, endpoint, endClaim)
    : await endpoints.update(endpoint, change);
  run.endpoint = stored ?? (await endpoints.find(apiSet, id));
}

/** Notes that an endpoint did not take an event, which comes up again or is given up. */
async function noteRefused(
  message: WebhookMessage,
  endpoint: WebhookEndpoint,
  { failure, earliest }: Pick<EndpointRefusal, "failure" | "earliest">,
  run: EndpointRun,
): Promise<void> {
  const { now, random, report } = run;
  const { apiSet, failing } = endpoint;
  // An endpoint that fails already may refuse any event: that is not counted against this one. It keeps the same schedule until the
  // endpoint works, so that an event which is never taken does not use up each attempt at the endpoint.
  const isCounted = failing === undefined;
  const attempts = message.attempts + Number(isCounted);
  const refusals = isCounted ? 0 : (message.refusals ?? 0) + 1;
  const tries = isCounted ? attempts : Math.min(waits.length - 1, attempts + refusals);
  const next = nextAttempt(tries, message.firstAt, now(), random());
  const retryAt = next === undefined ? undefined : Math.max(next, earliest);
  if (retryAt === undefined) report({ kind: "givenUp", apiSet });
  else postpone({ ...message, attempts, refusals, notBefore: retryAt }, retryAt, run);
  // Of a queue it is never the event's fault.
  const eventId = isQueue(endpoint) ? undefined : message.eventId;
  run.endpoint = await noteFailure(endpoint, { failure, earliest, retryAt, eventId }, run);
}

/** No endpoint's own: those are random. */
const forgedSecret = newSecret(new Uint8Array(24));

/** Posts a vendor's test event once, also to an endpoint that fails or is disabled. Its waiting events follow when they come up next. */
async function postTest(message: WebhookMessage, endpoint: WebhookEndpoint, run: EndpointRun): Promise<void> {
  const { endpoints, now } = run;
  const signer = message.isForged ? { ...endpoint, secrets: [{ secret: forgedSecret }] } : endpoint;
  const { failure, milliseconds: lastMilliseconds } = await sendEvents(signer, [message], run);
  const isTaken = failure === undefined && !message.isForged;
  if (isTaken) await noteRecovery(endpoint, run);
  const works = { failing: undefined, lastTakenAt: now(), lastMilliseconds };
  const change = { testedUntil: undefined, ...(isTaken && works) };
  const stored = await updateLatest(endpoints, endpoint, () => change);
  run.endpoint = stored ?? (await endpoints.find(endpoint.apiSet, endpoint.id));
}
