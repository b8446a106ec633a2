import * as z from "zod/mini";

/** What the event of a request has in `headers`. */
export const headersSchema = z.nullish(z.record(z.string(), z.optional(z.string())));

/** What the event of a request has in `headers`, `body` and `isBase64Encoded`, to be spread into a schema. */
export const contentFields = {
  headers: headersSchema,
  body: z.nullish(z.string()),
  isBase64Encoded: z.optional(z.boolean()),
};

/** Finds a header by its name in lower case; the last one where it was sent twice. */
export function headerFinder(headers: z.infer<typeof headersSchema>): (name: string) => string | undefined {
  const byName = new Map(Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]));
  return (name) => byName.get(name);
}

interface Body {
  readonly body?: string | null | undefined;
  readonly isBase64Encoded?: boolean | undefined;
}

/** Text of the body; empty where there is none. API Gateway hands over in Base64 what it takes for binary. */
export function bodyText({ body, isBase64Encoded }: Body): string {
  return isBase64Encoded ? Buffer.from(body ?? "", "base64").toString("utf8") : (body ?? "");
}
