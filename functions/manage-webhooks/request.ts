import * as z from "zod/mini";
import { eventTypes } from "../../core/webhooks/endpoint.ts";
import { checkEndpointUrl } from "../../core/webhooks/post-event.ts";
import { ProblemError, problem } from "../http/problem.ts";
import { isLocalRun } from "../runtime/webhooks.ts";

const url = z.string({ error: "must be a text" });
const oneType = z.enum(eventTypes, { error: `must be one of ${eventTypes.join(", ")}` });
const types = z
  .array(oneType, { error: "must be an array" })
  .check(z.minLength(1, { error: "must name an event; leave it out to get all" }));

/** A vendor's request for a new endpoint. Without types it gets all events. */
export const endpointInputSchema = z.strictObject({ url, types: z.optional(types) });

/** A vendor's change of an endpoint. Fields that are left out stay as they are. */
export const endpointChangeSchema = z.strictObject({
  url: z.optional(url),
  types: z.optional(types),
  enabled: z.optional(z.boolean({ error: "must be true or false" })),
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
    const faults = read.error.issues.map((issue) => {
      // The name of a field is the vendor's, and may be anything: of a long one the beginning says enough.
      if (issue.code === "unrecognized_keys")
        return `${issue.keys.map((key) => JSON.stringify(key.slice(0, 40))).join(", ")} is no field of an endpoint`;
      return issue.path.length === 0
        ? "The body must be a JSON object"
        : `${issue.path.join(".")} ${issue.message}`;
    });
    const detail = `Send JSON such as {"url": "https://…", "types": ["scorecard.delivered"]}. ${faults.join("; ")}.`;
    throw new ProblemError(problem(400, "Not a webhook endpoint", detail));
  }
  const { url } = read.data;
  const fault = url === undefined ? undefined : checkEndpointUrl(url, { allowLoopback: isLocalRun });
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
