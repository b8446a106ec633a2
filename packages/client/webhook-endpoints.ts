import type {
  NewWebhook,
  Webhook,
  WebhookChange,
  WebhookInput,
  WebhookList,
  WebhookReplay,
  WebhookSecret,
  WebhookTrial,
} from "./api-types.ts";
import type { RequestOptions, SendRequest } from "./connection.ts";

/** Manages a vendor's webhook endpoints. @see docs/webhooks.md */
export interface WebhookEndpoints {
  /** All endpoints with their state, the oldest first, without secrets. */
  webhooks(options?: RequestOptions): Promise<Webhook[]>;
  /**
   * Makes an endpoint. Its `secret` is answered only this once: store it. Not retried unless `retrySeconds` says so, because a
   * response that was lost would leave an endpoint whose secret nobody knows.
   */
  createWebhook(webhook: WebhookInput, options?: RequestOptions): Promise<NewWebhook>;
  /** Changes the address or the types, or turns the endpoint on or off; what is left out stays. */
  changeWebhook(id: string, change: WebhookChange, options?: RequestOptions): Promise<Webhook>;
  /** Removes an endpoint, with the events that wait for it. */
  removeWebhook(id: string, options?: RequestOptions): Promise<void>;
  /** Posts an event of type `webhook.test` now, and returns the endpoint's response. */
  testWebhook(id: string, options?: RequestOptions): Promise<WebhookTrial>;
  /** Makes another secret, which is answered only this once. For a day events are signed with both. */
  rotateWebhookSecret(id: string, options?: RequestOptions): Promise<WebhookSecret>;
  /** Sends the outcomes of the last 24 hours again. @returns how many cards */
  replayWebhook(id: string, options?: RequestOptions): Promise<WebhookReplay>;
}

/** The methods for webhook endpoints. */
export function webhookEndpoints(send: SendRequest): WebhookEndpoints {
  const read = async <Answer>(path: string, request: Parameters<SendRequest>[1] = {}) =>
    JSON.parse((await send(`Webhooks${path}`, request)).text) as Answer;
  const pathOf = (id: string) => `/${encodeURIComponent(id)}`;
  return {
    webhooks: async (of) => (await read<WebhookList>("", of)).webhooks,
    createWebhook: (webhook, of) =>
      read("", { retrySeconds: 0, ...of, method: "POST", json: JSON.stringify(webhook), expected: 201 }),
    changeWebhook: (id, change, of) =>
      read(pathOf(id), { ...of, method: "PUT", json: JSON.stringify(change) }),
    async removeWebhook(id, of) {
      await send(`Webhooks${pathOf(id)}`, { ...of, method: "DELETE", expected: 204 });
    },
    testWebhook: (id, of) => read(`${pathOf(id)}/Test`, { ...of, method: "POST" }),
    rotateWebhookSecret: (id, of) => read(`${pathOf(id)}/Secret`, { ...of, method: "POST", expected: 201 }),
    replayWebhook: (id, of) => read(`${pathOf(id)}/Replay`, { ...of, method: "POST", expected: 202 }),
  };
}
