import middy from "@middy/core";
import type { Context } from "aws-lambda";
import * as z from "zod/mini";
import { RefusalError } from "../../core/golf/refusal.ts";
import { UnionUnavailableError } from "../../core/union/union-unavailable-error.ts";
import { logError, logInvocation, reportUnexpected } from "../runtime/log.ts";
import { measure } from "../runtime/metrics.ts";
import { readSettings } from "../runtime/read-settings.ts";
import type { DailyQuota } from "./daily-quota.ts";
import { ProblemError, problem, problemOf, problemResponse } from "./problem.ts";
import { crossOrigin, type HttpResponse } from "./response.ts";
import { readVendorRequest, type VendorRequest } from "./vendor-request.ts";

/** The problem to respond with. Logs server errors, counts those of the union, and reports those that nothing foresees. */
function toProblem(error: unknown): ProblemError {
  const known = error instanceof RefusalError ? problemOf(error) : error;
  if (known instanceof ProblemError) {
    const { status } = known.problem;
    if (status >= 500) logError({ message: "answered without success", status }, known.cause);
    if (known.cause instanceof UnionUnavailableError) measure({ UnionFailures: 1 });
    return known;
  }
  reportUnexpected(error);
  return new ProblemError(
    problem(500, "Internal error", "Nothing was wrong with the request. Send it again later."),
  );
}

/** A stage that allows no origin does not set it. */
const settings = readSettings({ ALLOWED_ORIGINS: z.optional(z.string()) });
const { responseHeaders } = crossOrigin(settings.ALLOWED_ORIGINS);

function withCrossOriginHeaders<Response extends HttpResponse<string | Uint8Array>>(
  response: Response,
  event: unknown,
): Response {
  const added = responseHeaders(event);
  const vary = [response.headers.Vary, added.Vary].filter((names) => names !== undefined).join(", ");
  return { ...response, headers: { ...response.headers, ...added, ...(vary !== "" && { Vary: vary }) } };
}

/**
 * Creates a handler of vendors' requests. It reads the request and turns any error into a problem document, so that every
 * request gets a response and every refusal says what to do.
 *
 * @param quota which requests count against; without it they cost too little for that
 */
export function vendorApi<Body extends string | Uint8Array = string>(
  respond: (request: VendorRequest) => Promise<HttpResponse<Body>>,
  quota?: DailyQuota,
) {
  return middy<unknown, HttpResponse<Body | string>>()
    .onError(async (request) => {
      const response = problemResponse(toProblem(request.error));
      request.response = withCrossOriginHeaders(response, request.event);
    })
    .handler(async (event, context: Context) => {
      logInvocation(context);
      const request = readVendorRequest(event);
      logInvocation(context, { requestId: request.requestId, apiSet: request.apiSet });
      const answer = (): Promise<HttpResponse<Body | string>> =>
        respond(request).catch((error: unknown) => problemResponse(toProblem(error)));
      const response = await (quota?.metered(request, context, answer) ?? answer());
      return withCrossOriginHeaders(response, event);
    });
}
