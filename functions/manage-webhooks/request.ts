import * as z from "zod/mini";
import { eventTypes } from "../../core/webhooks/endpoint.ts";
import { checkEndpointUrl } from "../../core/webhooks/post-event.ts";
import { ProblemError, problem } from "../http/problem.ts";
import { isLocalRun } from "../runtime/webhooks.ts";

/** What a vendor sets of an endpoint. */
export const endpointInputSchema = z.object({
  url: z.string(),
  types: z.optional(z.array(z.enum(eventTypes)).check(z.minLength(1))),
});

/** What a vendor changes of an endpoint. */
export const endpointChangeSchema = z.object({
  url: z.optional(z.string()),
  types: z.optional(z.array(z.enum(eventTypes)).check(z.minLength(1))),
  enabled: z.optional(z.boolean()),
});

/**
 * Reads the body of a request about an endpoint.
 *
 * @throws ProblemError 400 if it is not one, or its address cannot be posted to
 */
export function readBody<Body extends { readonly url?: string | undefined }>(
  schema: z.ZodMiniType<Body>,
  body: string,
): Body {
  const read = schema.safeParse(parsed(body));
  if (!read.success) {
    const faults = read.error.issues.map(
      ({ path, message }) => `${path.join(".") || "the body"}: ${message}`,
    );
    const detail = `Send JSON such as {"url": "https://…", "types": ["scorecard.delivered"]}. ${faults.join("; ")}.`;
    throw new ProblemError(problem(400, "Not a webhook endpoint", detail));
  }
  const { url } = read.data;
  const fault = url === undefined ? undefined : checkEndpointUrl(url, { allowLoopback: isLocalRun() });
  if (fault !== undefined) throw new ProblemError(problem(400, "Address cannot be posted to", fault));
  return read.data;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
