import middy from "@middy/core";
import type { Context } from "aws-lambda";
import * as z from "zod/mini";
import { type ApiSet, apiSetSchema } from "../../core/accounts/api-set.ts";
import { resourceOfRoute } from "../../core/accounts/resource-of-route.ts";
import { isGarbled } from "../../core/formats/garbled-text.ts";
import { RefusalError } from "../../core/refusal.ts";
import { logError, logInvocation } from "../runtime/log.ts";
import { reportUnexpected } from "../runtime/report-unexpected.ts";
import { crossOrigin } from "./cross-origin.ts";
import { bodyText, contentFields, headerFinder } from "./gateway-event.ts";
import { ProblemError, problem, problemOf } from "./problem.ts";
import type { HttpResponse } from "./response.ts";

/** A vendor's request that API Gateway has let through. */
export interface VendorRequest {
  /** API Gateway's, which the vendor sees as x-amzn-RequestId. */
  readonly requestId: string;
  /** The tenant that the authorizer found for the credentials. */
  readonly apiSet: ApiSet;
  readonly method: string;
  /** The route that matched, e.g. `/{apiset}/Clubs/{clubId}`. */
  readonly resource: string;
  /** Path parameters, percent-decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** Query parameters in the order sent, names in lower case: the union's server ignores case. */
  readonly query: ReadonlyMap<string, readonly string[]>;
  /** A header by its name in lower case; the last one where it was sent twice. */
  readonly header: (name: string) => string | undefined;
  /** Text of the body; empty where there is none. */
  readonly body: string;
}

const eventSchema = z.object({
  httpMethod: z.string(),
  resource: z.string(),
  pathParameters: z.nullish(z.record(z.string(), z.optional(z.string()))),
  multiValueQueryStringParameters: z.nullish(z.record(z.string(), z.optional(z.array(z.string())))),
  ...contentFields,
  requestContext: z.object({
    requestId: z.string(),
    authorizer: z.object({
      apiSet: apiSetSchema,
      /** Resources that the account may use, commas between them. */
      resources: z.string(),
    }),
  }),
});

function readRequest(event: unknown): VendorRequest {
  const { httpMethod, resource, pathParameters, headers, requestContext, ...rest } = eventSchema.parse(event);
  const { requestId, authorizer } = requestContext;
  const { apiSet, resources } = authorizer;
  if (pathParameters?.apiset !== apiSet) {
    throw new ProblemError(problem(403, "Forbidden", "These credentials are not for this API set."));
  }
  if (!resources.split(",").includes(resourceOfRoute(resource))) {
    throw new ProblemError(problem(403, "Forbidden", "This account may not use this resource."));
  }
  const query = new Map<string, string[]>();
  for (const [name, values] of Object.entries(rest.multiValueQueryStringParameters ?? {})) {
    const known = query.get(name.toLowerCase());
    if (known === undefined) query.set(name.toLowerCase(), values ?? []);
    else for (const value of values ?? []) known.push(value);
  }
  return {
    requestId,
    apiSet,
    method: httpMethod,
    resource,
    path: decoded(pathParameters),
    query,
    header: headerFinder(headers),
    body: bodyText(rest),
  };
}

/** API Gateway hands path parameters over as they were sent. */
function decoded(parameters: Record<string, string | undefined>): Record<string, string> {
  try {
    const texts = Object.entries(parameters).map(([name, value]) => [name, decodeURIComponent(value ?? "")]);
    // A client that itself lost what was not UTF-8 would not mean the card that it names.
    if (!texts.flat().some(isGarbled)) return Object.fromEntries(texts);
  } catch {
    // Percent signs that are not followed by the bytes of UTF-8.
  }
  throw new ProblemError(problem(400, "Path cannot be read", "The path is not percent-encoded UTF-8."));
}

function problemAnswer(error: ProblemError): HttpResponse {
  const headers = { "Content-Type": "application/problem+json", ...error.headers };
  return { statusCode: error.problem.status, headers, body: JSON.stringify(error.problem) };
}

// Not by `variables`, which refuses to start without it: a stage that allows no origin does not set it.
const { answerHeaders } = crossOrigin(process.env.ALLOWED_ORIGINS);

/** An answer that pages of allowed origins may read. */
function readable(answer: HttpResponse, event: unknown): HttpResponse {
  return { ...answer, headers: { ...answer.headers, ...answerHeaders(event) } };
}

/**
 * A handler of vendors' requests: reads the request, and turns whatever is thrown into a problem document, so that
 * every request gets an answer, and every refusal says what to do.
 */
export function vendorApi(answer: (request: VendorRequest) => Promise<HttpResponse>) {
  return middy<unknown, HttpResponse>()
    .onError(async (request) => {
      const error = request.error instanceof RefusalError ? problemOf(request.error) : request.error;
      if (error instanceof ProblemError) {
        const { cause, problem: said } = error;
        if (said.status >= 500) logError({ message: "answered without success", status: said.status }, cause);
        request.response = readable(problemAnswer(error), request.event);
        return;
      }
      reportUnexpected(error);
      const unexpected = problem(
        500,
        "Internal error",
        "Nothing was wrong with the request. Send it again later.",
      );
      request.response = readable(problemAnswer(new ProblemError(unexpected)), request.event);
    })
    .handler(async (event, context: Context) => {
      logInvocation(context);
      const request = readRequest(event);
      logInvocation(context, { requestId: request.requestId, apiSet: request.apiSet });
      return readable(await answer(request), event);
    });
}
