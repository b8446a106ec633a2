import type * as z from "zod/mini";
import { webhookReplayInputSchema } from "../../api/webhook-inputs.ts";
import type { EventType, FeedPlace } from "../../core/webhooks/endpoint.ts";
import { type OwnHeaders, ownAttributesFault, ownHeadersFault } from "../../core/webhooks/own-headers.ts";
import { checkEndpointUrl } from "../../core/webhooks/post-event.ts";
import { queueFault } from "../../core/webhooks/queue-address.ts";
import type { Replay } from "../../core/webhooks/replay.ts";
import { readFeedCursor } from "../http/cursor.ts";
import { ProblemError, problem } from "../http/problem.ts";
import { type BodyLimits, faultsText, readJson } from "../http/read-json.ts";
import { isLocalRun } from "../runtime/webhooks.ts";
import { isOwnAddress, type OwnAddress } from "./own-address.ts";

/** The fields of an endpoint that a schema alone cannot judge. */
interface EndpointFields {
  readonly url?: string | undefined;
  readonly roleArn?: string | undefined;
  readonly headers?: OwnHeaders | undefined;
}

/** What an endpoint's address is held against. */
export interface AddressRules {
  /** Where this API is, which is no destination. */
  readonly own: OwnAddress;
}

/**
 * Reads the body of a request about an endpoint.
 *
 * @param before the endpoint that it changes
 * @throws ProblemError 400 if it is not one, or events cannot be sent to it
 */
export function readBody<Body extends EndpointFields>(
  schema: z.ZodMiniType<Body>,
  body: string,
  given: AddressRules,
  before?: EndpointFields,
): Body {
  const read = readAs(schema, body, {
    title: "Not a webhook endpoint",
    what: "an endpoint",
    example: '{"url": "https://…", "types": ["scorecard.delivered"]}',
  });
  const fault = addressFault({ ...before, ...read }, given, before);
  if (fault !== undefined) throw new ProblemError(problem(400, "Address cannot be posted to", fault));
  const isQueue = (read.roleArn ?? before?.roleArn) !== undefined;
  const findHeadersFault = isQueue ? ownAttributesFault : ownHeadersFault;
  const headersFault = read.headers === undefined ? undefined : findHeadersFault(read.headers);
  if (headersFault !== undefined) {
    throw new ProblemError(problem(400, "Headers cannot be sent", headersFault));
  }
  return read;
}

/** What is wrong with the address or the queue of an endpoint; undefined if nothing is. */
function addressFault(
  { url, roleArn }: EndpointFields,
  { own }: AddressRules,
  before?: EndpointFields,
): string | undefined {
  if (url === undefined) return undefined;
  if (isOwnAddress(url, own)) return "The URL is this API's own. Give one of a server of yours.";
  if (before !== undefined && before.roleArn === undefined && roleArn !== undefined) {
    return "The endpoint is no queue, so it has no role. Make another endpoint for a queue.";
  }
  const options = { allowLoopback: isLocalRun };
  return roleArn === undefined ? checkEndpointUrl(url, options) : queueFault(url, roleArn, options);
}

/** The longest time whose outcomes one request sends again. */
const maxReplayMilliseconds = 31 * 86_400_000;
/** Which outcomes to send again; without types, those of the endpoint. */
export interface ReplayRequest extends Omit<Replay, "types" | "requestId"> {
  readonly types?: readonly EventType[] | undefined;
  readonly isPreview: boolean;
}

/**
 * Reads the body of a request for a replay; an empty one asks for the last 24 hours.
 *
 * @throws ProblemError 400
 */
export function readReplay(body: string, now: number): ReplayRequest {
  const read = readAs(webhookReplayInputSchema, body.trim() === "" ? "{}" : body, {
    title: "Which outcomes?",
    what: "a replay",
    example:
      '{"from": "2026-07-04T12:00:00Z", "to": "2026-07-04T15:00:00Z", "types": ["scorecard.rejected"]}',
  });
  const before = read.to === undefined ? now : Date.parse(read.to);
  const from = read.from === undefined ? before - 86_400_000 : Date.parse(read.from);
  const refusal = (detail: string) => new ProblemError(problem(400, "Which outcomes?", detail));
  if (from >= before) throw refusal("from is not before to.");
  if (before - from > maxReplayMilliseconds) throw refusal("from and to are at most 31 days apart.");
  const { types, preview = false, after } = read;
  return {
    from,
    before,
    types,
    isPreview: preview,
    after: after === undefined ? undefined : readPlace(after),
  };
}

/** Reads where a replay goes on. */
function readPlace(after: string): FeedPlace {
  const place = readFeedCursor(after);
  if (place !== undefined) return place;
  const detail = "after is not from an earlier answer: send its `next`, or leave it out.";
  throw new ProblemError(problem(400, "Unknown place", detail));
}

/** Room for an address and headers at their limits, every character escaped. */
const webhookBodyLimits: BodyLimits = { bytes: 32_768, values: 100, levels: 4 };

/** @throws ProblemError 400 if a body is not of a schema, 413 if it is too large */
function readAs<Body>(
  schema: z.ZodMiniType<Body>,
  body: string,
  { title, what, example }: { readonly title: string; readonly what: string; readonly example: string },
): Body {
  const json = readJson(body, webhookBodyLimits, "request about webhooks", `Send ${what} only.`);
  const read = schema.safeParse(json);
  if (read.success) return read.data;
  const faults = read.error.issues.map((issue) => {
    // The name of a field is the vendor's, and may be anything: of a long one the beginning says enough.
    if (issue.code === "unrecognized_keys")
      return `${issue.keys.map((key) => JSON.stringify(key.slice(0, 40))).join(", ")} is no field of ${what}`;
    if (issue.path.length === 0) return "The body must be a JSON object";
    return `${issue.path.map((part) => String(part).slice(0, 40)).join(".")} ${issue.message}`;
  });
  throw new ProblemError(problem(400, title, `Send JSON such as ${example}. ${faultsText(faults)}`));
}
