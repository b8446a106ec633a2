import type { Content, Response } from "./operation.ts";
import { type JsonSchema, schemaOf } from "./schema-reference.ts";

/** A success with a JSON document. */
export function jsonResponse(
  description: string,
  schema: JsonSchema,
  more: Pick<Response, "headers"> & Pick<Content, "examples"> = {},
): Response {
  const { headers, examples } = more;
  return {
    description,
    ...(headers !== undefined && { headers }),
    content: { "application/json": { schema, ...(examples !== undefined && { examples }) } },
  };
}

/** An answer that is not a success. */
export function problemResponse(description: string, headers?: Response["headers"]): Response {
  return {
    description,
    ...(headers !== undefined && { headers }),
    content: { "application/problem+json": { schema: schemaOf("Problem") } },
  };
}

const retryAfter: Response["headers"] = {
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" }, example: 5 },
};

/** What any request for a vendor may be answered instead, by API Gateway or by the function behind it. */
export const refusals: Readonly<Record<number, Response>> = {
  400: problemResponse("The request cannot be read; `detail` says why."),
  401: problemResponse("No credentials, or wrong ones, or those of an account that is disabled.", {
    "WWW-Authenticate": {
      description: "The scheme.",
      required: true,
      schema: { type: "string" },
      example: 'Basic realm="scorecards", charset="UTF-8"',
    },
  }),
  403: problemResponse("Another vendor's API set, or a resource that the account has not been granted."),
  413: problemResponse("The request is over a limit; `detail` names it."),
  415: problemResponse(
    "A charset other than UTF-8, a content coding other than gzip, or a gzipped body that is not whole.",
  ),
  429: problemResponse("Too many requests a second, or the account's quota is used up.", retryAfter),
  500: problemResponse("Something failed here; nothing was wrong with the request."),
  503: problemResponse("Not now. The same request may be sent again; nothing is taken twice.", retryAfter),
  504: problemResponse(
    "No answer in time. The same request may be sent again; nothing is taken twice.",
    retryAfter,
  ),
};
