import { webhookChangeSchema, webhookInputSchema } from "../../api/webhook-inputs.ts";
import type { ApiSet } from "../../core/accounts/account.ts";
import {
  endpointsLimit,
  eventTypes,
  isQueue,
  type WebhookEndpoint,
  withNewSecret,
} from "../../core/webhooks/endpoint.ts";
import { type EndpointChange, updateLatest, type WebhookTable } from "../../core/webhooks/endpoint-table.ts";
import type { FeedReader } from "../../core/webhooks/feed-table.ts";
import { createFeedWakeUp, type OutgoingWebhook } from "../../core/webhooks/queue.ts";
import { roleNamePrefix } from "../../core/webhooks/queue-address.ts";
import { countPending, shownEndpoint } from "../../core/webhooks/shown-endpoint.ts";
import { newSecret } from "../../core/webhooks/sign.ts";
import { openRoleMessage } from "../../core/webhooks/vendor-queue.ts";
import { ProblemError, problem } from "../http/problem.ts";
import { type HttpResponse, json } from "../http/response.ts";
import type { VendorRequest } from "../http/vendor-request.ts";
import { type AddressRules, readBody } from "./request.ts";

/** The endpoints, their feed and their queue, and where we are. */
export interface EndpointDependencies {
  readonly endpoints: WebhookTable;
  readonly feed: Pick<FeedReader, "end" | "page" | "placeAt">;
  readonly send: (messages: readonly OutgoingWebhook[]) => Promise<void>;
  /** Whether a role lets us in for every vendor. @throws Error if that cannot be found out */
  readonly isRoleOpen: (roleArn: string) => Promise<boolean>;
  /** Whom the roles of a vendor's queues have to trust, and with which external ID. */
  readonly trustOf: (apiSet: ApiSet) => { readonly principal: string; readonly externalId: string };
  readonly addressRules: (request: VendorRequest) => AddressRules;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly randomBytes: (bytes: number) => Buffer;
}

const secretBytes = 32;
const idBytes = 12;

/** Keeps caches from storing a secret, which is shown only once. */
const noStore = { "Cache-Control": "no-store" };

/** An endpoint as it is shown, with what waits for it. */
const withPending = async ({ feed }: Pick<EndpointDependencies, "feed">, endpoint: WebhookEndpoint) =>
  shownEndpoint(endpoint, await countPending(endpoint, feed));

/** Lists a vendor's endpoints, and says what its own queues need. */
export async function listEndpoints(
  dependencies: EndpointDependencies,
  apiSet: ApiSet,
): Promise<HttpResponse> {
  const { endpoints, trustOf } = dependencies;
  const listed = await endpoints.list(apiSet);
  const webhooks = await Promise.all(listed.map((endpoint) => withPending(dependencies, endpoint)));
  return json(200, { webhooks, queues: { ...trustOf(apiSet), roleNamePrefix } });
}

/** Shows an endpoint. */
export const showEndpoint = async (dependencies: EndpointDependencies, endpoint: WebhookEndpoint) =>
  json(200, await withPending(dependencies, endpoint));

/** Makes an endpoint, and shows its secret. @throws ProblemError 400 if the request is wrong, 409 if the vendor has enough of them */
export async function createEndpoint(
  dependencies: EndpointDependencies,
  request: VendorRequest,
): Promise<HttpResponse> {
  const { endpoints, feed, addressRules, now, randomBytes } = dependencies;
  const { apiSet, body } = request;
  const read = readBody(webhookInputSchema, body, addressRules(request));
  const { roleArn } = read;
  if (roleArn !== undefined) await refuseOpenRole(dependencies, roleArn);
  if ((await endpoints.list(apiSet)).length >= endpointsLimit) throw tooMany();
  const secret = newSecret(randomBytes(secretBytes));
  const endpoint: WebhookEndpoint = {
    apiSet,
    id: `wh_${randomBytes(idBytes).toString("hex")}`,
    version: 1,
    types: eventTypes,
    ...read,
    ...(roleArn !== undefined && { feed: await feed.end(apiSet) }),
    secrets: [{ secret }],
    createdAt: now(),
  };
  await endpoints.insert(endpoint);
  // Requests at the same time each saw the place of the other free: then each gives its own back.
  if ((await endpoints.list(apiSet)).length > endpointsLimit) {
    await endpoints.remove(apiSet, endpoint.id);
    throw tooMany();
  }
  return json(201, { ...shownEndpoint(endpoint), secret }, noStore);
}

const tooMany = () => {
  const detail = `You have ${endpointsLimit} webhook endpoints, which is the limit: remove one first.`;
  return new ProblemError(problem(409, "Too many webhooks", detail));
};

/** @throws ProblemError 400 if the role lets us in for every vendor, 503 if that cannot be found out */
async function refuseOpenRole(
  { isRoleOpen }: Pick<EndpointDependencies, "isRoleOpen">,
  roleArn: string,
): Promise<void> {
  const isOpen = await isRoleOpen(roleArn).catch((cause: unknown) => {
    const detail = "Your role could not be tried. Send the same request again.";
    throw new ProblemError(problem(503, "Not now", detail), { headers: { "Retry-After": "5" }, cause });
  });
  if (isOpen) throw new ProblemError(problem(400, "Role is open", openRoleMessage));
}

/**
 * Stores a change that fits the endpoint as it is now: a run that posts to it, or another request, may have changed it meanwhile.
 *
 * @param changed may refuse what the latest endpoint does not allow
 * @throws ProblemError 409 if the endpoint was removed, or changes all the time
 */
export async function updateEndpoint(
  { endpoints }: { readonly endpoints: Pick<WebhookTable, "find" | "update"> },
  endpoint: WebhookEndpoint,
  changed: (latest: WebhookEndpoint) => EndpointChange,
): Promise<WebhookEndpoint> {
  const stored = await updateLatest(endpoints, endpoint, changed);
  if (stored !== undefined) return stored;
  const detail = "The endpoint has just been changed. Read it again, and repeat the request.";
  throw new ProblemError(problem(409, "Changed meanwhile", detail));
}

/** Changes an endpoint, and has it tried again. @throws ProblemError 400, 409 */
export async function changeEndpoint(
  dependencies: EndpointDependencies,
  endpoint: WebhookEndpoint,
  request: VendorRequest,
): Promise<HttpResponse> {
  const { addressRules, now, send } = dependencies;
  const read = (latest: WebhookEndpoint) =>
    readBody(webhookChangeSchema, request.body, addressRules(request), latest);
  const { roleArn } = read(endpoint);
  if (roleArn !== undefined && roleArn !== endpoint.roleArn) await refuseOpenRole(dependencies, roleArn);
  const at = now();
  const changed = await updateEndpoint(dependencies, endpoint, (latest) => {
    const { url = latest.url, enabled, ...fields } = read(latest);
    return {
      ...fields,
      url,
      ...(enabled !== undefined && { disabled: enabled ? undefined : { at, why: "by_vendor" } }),
      // A changed endpoint may work again, so its events are not held back any longer.
      failing: undefined,
      // What was quick may be slow at another address.
      ...(url !== latest.url && { lastMilliseconds: undefined }),
    };
  });
  if (isQueue(changed)) await send([createFeedWakeUp(changed)]);
  return showEndpoint(dependencies, changed);
}

/** Removes an endpoint. */
export async function removeEndpoint(
  { endpoints }: EndpointDependencies,
  { apiSet, id }: WebhookEndpoint,
): Promise<HttpResponse> {
  await endpoints.remove(apiSet, id);
  return { statusCode: 204, headers: {}, body: "" };
}

/** Gives an endpoint another secret, and shows it. @throws ProblemError 409 */
export async function rotateSecret(
  dependencies: EndpointDependencies,
  endpoint: WebhookEndpoint,
): Promise<HttpResponse> {
  const { now, randomBytes } = dependencies;
  const secret = newSecret(randomBytes(secretBytes));
  await updateEndpoint(dependencies, endpoint, (latest) => ({
    secrets: withNewSecret(latest, secret, now()),
  }));
  return json(201, { secret }, noStore);
}
