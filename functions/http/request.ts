import * as z from "zod/mini";

/** The headers of an event from API Gateway. */
export const headersSchema = z.nullish(z.record(z.string(), z.optional(z.string())));

/** The fields of an event that hold a request's content, to be spread into a schema. */
export const contentFields = {
  headers: headersSchema,
  body: z.nullish(z.string()),
  isBase64Encoded: z.optional(z.boolean()),
};

/** Finds a header by its name in lower case; the last one if it was sent twice. */
export function headerFinder(headers: z.infer<typeof headersSchema>): (name: string) => string | undefined {
  const byName = new Map(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => byName.get(name);
}

/** Text of the body; empty if there is none. API Gateway encodes a body in Base64 if it takes it for binary. */
export function bodyText(content: {
  readonly body?: string | null | undefined;
  readonly isBase64Encoded?: boolean | undefined;
}): string {
  const body = content.body ?? "";
  return content.isBase64Encoded ? Buffer.from(body, "base64").toString("utf8") : body;
}

const openEventSchema = z.object({
  httpMethod: z.string(),
  resource: z.string(),
  queryStringParameters: z.nullish(z.record(z.string(), z.optional(z.string()))),
  ...contentFields,
  requestContext: z.object({
    path: z.string(),
    stage: z.string(),
    domainName: z.string(),
    identity: z.object({ sourceIp: z.string() }),
  }),
});

/** A request of a route at the API's root, which needs no account. */
export interface OpenRequest {
  readonly method: string;
  readonly stage: string;
  /** Network address of the client, as API Gateway sees it; what a client says in a header is not trusted. */
  readonly address: string;
  /** The base address as the client wrote it, with the stage, without a slash at its end. */
  readonly base: string;
  /** A header by its name in lower case; the last one if it was sent twice. */
  readonly header: (name: string) => string | undefined;
  /** The route that matched, e.g. `/login.aspx`. */
  readonly route: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Text of the body; empty if there is none. */
  readonly body: string;
}

/** Reads a request of a route at the API's root. */
export function readOpenRequest(event: unknown): OpenRequest {
  const { httpMethod, resource, queryStringParameters, headers, requestContext, ...content } =
    openEventSchema.parse(event);
  const header = headerFinder(headers);
  const { path, stage, domainName, identity } = requestContext;
  const scheme = header("x-forwarded-proto") === "http" ? "http" : "https";
  return {
    method: httpMethod,
    stage,
    address: identity.sourceIp,
    base: `${scheme}://${domainName}${path.slice(0, path.lastIndexOf(resource))}`,
    header,
    route: resource,
    query: queryStringParameters ?? {},
    body: bodyText(content),
  };
}

/**
 * Whether a client accepts gzip.
 *
 * @param acceptEncoding the header Accept-Encoding; without it a client gets what every client can read
 * @see RFC 9110, 12.5.3
 */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  const codings = (acceptEncoding ?? "").toLowerCase().split(",");
  const qualities = new Map(
    codings.map((coding) => {
      const [name = "", weight = ""] = coding.split(";").map((part) => part.trim());
      return [name, weight.startsWith("q=") ? Number(weight.slice(2)) : 1];
    }),
  );
  return (qualities.get("gzip") ?? qualities.get("*") ?? 0) > 0;
}
