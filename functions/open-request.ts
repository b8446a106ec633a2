import * as z from "zod/mini";

/** A request that needs no account. */
export interface OpenRequest {
  readonly method: string;
  /** Name of the stage. */
  readonly stage: string;
  /** Base address with the stage as the client asked for it, without a slash at its end. */
  readonly base: string;
  /** A header by its name in lower case. */
  readonly header: (name: string) => string | undefined;
  readonly body: string;
}

const eventSchema = z.object({
  httpMethod: z.string(),
  resource: z.string(),
  headers: z.nullish(z.record(z.string(), z.optional(z.string()))),
  body: z.nullish(z.string()),
  isBase64Encoded: z.optional(z.boolean()),
  requestContext: z.object({ path: z.string(), stage: z.string(), domainName: z.string() }),
});

/** Reads a request of a route at the API's root. */
export function readOpenRequest(event: unknown): OpenRequest {
  const { httpMethod, resource, headers, body, isBase64Encoded, requestContext } = eventSchema.parse(event);
  const byName = new Map(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  const { path, stage, domainName } = requestContext;
  const scheme = byName.get("x-forwarded-proto") === "http" ? "http" : "https";
  return {
    method: httpMethod,
    stage,
    base: `${scheme}://${domainName}${path.slice(0, path.lastIndexOf(resource))}`,
    header: (name) => byName.get(name),
    body: isBase64Encoded ? Buffer.from(body ?? "", "base64").toString("utf8") : (body ?? ""),
  };
}
