import type {
  CreatedWebhook,
  QueueAccess,
  Webhook,
  WebhookAttempt,
  WebhookAttemptDetail,
  WebhookAttemptList,
  WebhookChange,
  WebhookDispatch,
  WebhookInput,
  WebhookList,
  WebhookReplay,
  WebhookReplayInput,
  WebhookSecret,
} from "./api-types.ts";
import type { RequestOptions, SendRequest } from "./connection.ts";
import { pause } from "./pause.ts";

/** Whether an endpoint took a test event, and what it answered. */
export type WebhookTrial = Pick<WebhookAttempt, "taken" | "status" | "message">;

/** Which outcomes to send again. */
export type ReplaySelection = Omit<WebhookReplayInput, "after">;

/** A post of a test event takes ten seconds at most, and may have to wait for its turn. */
const trialMilliseconds = 60_000;
const pollMilliseconds = 500;

/** Manages a vendor's webhook endpoints. @see docs/webhooks.md */
export interface WebhookEndpoints {
  /** All endpoints with their state, the oldest first, without secrets. */
  webhooks(options?: RequestOptions): Promise<Webhook[]>;
  /** What the role of a queue in your own AWS account has to trust. */
  queueAccess(options?: RequestOptions): Promise<QueueAccess>;
  /**
   * Makes an endpoint; with `roleArn` it is an SQS queue of your own AWS account. Its `secret` is answered only this once: store it. Not retried unless `retrySeconds` says so, because a
   * response that was lost would leave an endpoint whose secret nobody knows.
   */
  createWebhook(webhook: WebhookInput, options?: RequestOptions): Promise<CreatedWebhook>;
  /** Changes the address or the types, or turns the endpoint on or off; what is left out stays. */
  changeWebhook(id: string, change: WebhookChange, options?: RequestOptions): Promise<Webhook>;
  /** Removes an endpoint, with the events that wait for it. */
  removeWebhook(id: string, options?: RequestOptions): Promise<void>;
  /**
   * Posts an event of type `webhook.test` now, and returns the endpoint's response. With `forged` the signature is wrong, and the endpoint
   * has to refuse it.
   *
   * @throws Error if there is none in a minute
   */
  testWebhook(id: string, options?: RequestOptions & { readonly forged?: boolean }): Promise<WebhookTrial>;
  /** The last 200 posts to an endpoint of the last week, the newest first. */
  webhookAttempts(id: string, options?: RequestOptions): Promise<WebhookAttempt[]>;
  /** A post with the event that was posted. */
  webhookAttempt(id: string, attemptId: string, options?: RequestOptions): Promise<WebhookAttemptDetail>;
  /** Sends the event of an attempt once more, with the same ID. */
  resendWebhookEvent(id: string, attemptId: string, options?: RequestOptions): Promise<WebhookDispatch>;
  /** Makes another secret, which is answered only this once. For a day events are signed with both. */
  rotateWebhookSecret(id: string, options?: RequestOptions): Promise<WebhookSecret>;
  /**
   * Sends outcomes again, by default those of the last 24 hours; with `preview` it only counts them. If there are very many, it goes
   * on after a minute.
   *
   * @returns how many cards
   */
  replayWebhook(id: string, selection?: ReplaySelection, options?: RequestOptions): Promise<WebhookReplay>;
}

const toTrial = ({ taken, status, message }: WebhookAttempt): WebhookTrial => ({
  taken,
  ...(status !== undefined && { status }),
  ...(message !== undefined && { message }),
});

/** The methods for webhook endpoints. */
export function webhookEndpoints(send: SendRequest): WebhookEndpoints {
  const read = async <Answer>(path: string, request: Parameters<SendRequest>[1] = {}) =>
    JSON.parse((await send(`Webhooks${path}`, request)).text) as Answer;
  const toPath = (id: string) => `/${encodeURIComponent(id)}`;
  const attemptPath = (id: string, attemptId: string) =>
    `${toPath(id)}/Attempts/${encodeURIComponent(attemptId)}`;
  const attempts = async (id: string, of?: RequestOptions) =>
    (await read<WebhookAttemptList>(`${toPath(id)}/Attempts`, of)).attempts;
  return {
    webhooks: async (of) => (await read<WebhookList>("", of)).webhooks,
    queueAccess: async (of) => (await read<WebhookList>("", of)).queues,
    createWebhook: (webhook, of) =>
      read("", { retrySeconds: 0, ...of, method: "POST", json: JSON.stringify(webhook), expected: 201 }),
    changeWebhook: (id, change, of) =>
      read(toPath(id), { ...of, method: "PUT", json: JSON.stringify(change) }),
    async removeWebhook(id, of) {
      await send(`Webhooks${toPath(id)}`, { ...of, method: "DELETE", expected: 204 });
    },
    async testWebhook(id, { forged, ...of } = {}) {
      const { eventId } = await read<WebhookDispatch>(`${toPath(id)}/Test${forged ? "?forged=1" : ""}`, {
        ...of,
        method: "POST",
        expected: 202,
      });
      for (const end = Date.now() + trialMilliseconds; Date.now() < end; ) {
        const found = (await attempts(id, of)).findLast((attempt) => attempt.eventId === eventId);
        if (found !== undefined) return toTrial(found);
        await pause(pollMilliseconds, of.signal);
      }
      throw new Error("The test event was not posted within a minute. Look at the attempts later.");
    },
    webhookAttempts: attempts,
    webhookAttempt: (id, attemptId, of) => read(attemptPath(id, attemptId), of),
    resendWebhookEvent: (id, attemptId, of) =>
      read(`${attemptPath(id, attemptId)}/Resend`, { ...of, method: "POST", expected: 202 }),
    rotateWebhookSecret: (id, of) => read(`${toPath(id)}/Secret`, { ...of, method: "POST", expected: 201 }),
    async replayWebhook(id, selection = {}, of = {}) {
      const send = (after: string | undefined) =>
        read<WebhookReplay>(`${toPath(id)}/Replay`, {
          ...of,
          method: "POST",
          json: JSON.stringify({ ...selection, ...(after !== undefined && { after }) }),
          expected: selection.preview ? 200 : 202,
        });
      let { cards, next } = await send(undefined);
      while (next !== undefined) {
        const more = await send(next);
        cards += more.cards;
        next = more.next;
      }
      return { cards };
    },
  };
}
