import * as z from "zod/mini";
import { bodyText, contentFields, headerFinder } from "./gateway-event.ts";

/** A request that needs no account. */
export interface OpenRequest {
  readonly method: string;
  /** Name of the stage. */
  readonly stage: string;
  /** Base address as the client wrote it, with the stage, without a slash at its end. */
  readonly base: string;
  /** A header by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  readonly body: string;
}

const eventSchema = z.object({
  httpMethod: z.string(),
  resource: z.string(),
  ...contentFields,
  requestContext: z.object({ path: z.string(), stage: z.string(), domainName: z.string() }),
});

/** Reads a request of a route at the API's root. */
export function readOpenRequest(event: unknown): OpenRequest {
  const { httpMethod, resource, headers, requestContext, ...content } = eventSchema.parse(event);
  const header = headerFinder(headers);
  const { path, stage, domainName } = requestContext;
  const scheme = header("x-forwarded-proto") === "http" ? "http" : "https";
  return {
    method: httpMethod,
    stage,
    base: `${scheme}://${domainName}${path.slice(0, path.lastIndexOf(resource))}`,
    header,
    body: bodyText(content),
  };
}
