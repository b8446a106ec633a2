import { ResponseType, type RestApi } from "aws-cdk-lib/aws-apigateway";
import { submissionLimits } from "../core/submission/read-submission.ts";

interface Refusal {
  readonly type: ResponseType;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly headers?: Record<string, string>;
}

const noSuchPath = {
  status: 404,
  title: "No such path",
  detail: "There is nothing at this path for this method. openapi.json lists every path with its methods.",
};

/** Everything that API Gateway itself may answer instead of a function. @see API Gateway, gateway response types */
const refusals: readonly Refusal[] = [
  {
    type: ResponseType.UNAUTHORIZED,
    status: 401,
    title: "Unauthorized",
    detail: "Send the user name and password of a vendor account by HTTP Basic authentication.",
    headers: { "WWW-Authenticate": 'Basic realm="scorecards", charset="UTF-8"' },
  },
  {
    type: ResponseType.ACCESS_DENIED,
    status: 403,
    title: "Forbidden",
    detail:
      "This account may not use this API set or this resource. Log in at login.aspx to see what it may use, and ask the operator to grant it more.",
  },
  // At a path that is not there API Gateway takes Authorization for a signature of AWS's own, and may find fault with it.
  ...[
    ResponseType.MISSING_AUTHENTICATION_TOKEN,
    ResponseType.RESOURCE_NOT_FOUND,
    ResponseType.INVALID_SIGNATURE,
    ResponseType.EXPIRED_TOKEN,
  ].map((type) => ({ type, ...noSuchPath })),
  {
    type: ResponseType.INVALID_API_KEY,
    status: 403,
    title: "No usage plan",
    detail: "This account has no usage plan, so that nothing is taken of it. Ask the operator for one.",
  },
  {
    type: ResponseType.WAF_FILTERED,
    status: 403,
    title: "Forbidden",
    detail: "A firewall holds this request back. Ask the operator why.",
  },
  {
    type: ResponseType.BAD_REQUEST_PARAMETERS,
    status: 400,
    title: "Token missing",
    detail: "Send the player's access token in the header Token.",
  },
  {
    type: ResponseType.REQUEST_TOO_LARGE,
    status: 413,
    title: "Request too large",
    detail: `A submission may have at most ${submissionLimits.cards} scorecards and ${submissionLimits.bytes / 2 ** 20} MiB. Send the cards in several submissions.`,
  },
  {
    type: ResponseType.UNSUPPORTED_MEDIA_TYPE,
    status: 415,
    title: "Unsupported media type",
    detail:
      "Send JSON in UTF-8, plain or gzipped, with Content-Type: application/json. A gzipped body must be whole.",
  },
  {
    type: ResponseType.THROTTLED,
    status: 429,
    title: "Too many requests",
    detail: `Send fewer requests a second; one submission may carry ${submissionLimits.cards} scorecards.`,
    headers: { "Retry-After": "1" },
  },
  {
    type: ResponseType.QUOTA_EXCEEDED,
    status: 429,
    title: "Quota used up",
    detail: "This account has used up its requests for today.",
    headers: { "Retry-After": "3600" },
  },
  {
    type: ResponseType.INTEGRATION_TIMEOUT,
    status: 504,
    title: "No answer in time",
    detail:
      "The answer took too long. Send the same request again; what was already taken is not taken twice.",
    headers: { "Retry-After": "5" },
  },
  ...[ResponseType.BAD_REQUEST_BODY, ResponseType.DEFAULT_4XX].map((type) => ({
    type,
    status: 400,
    title: "Bad request",
    detail:
      "The request cannot be read, or there is nothing at this path. openapi.json describes every request.",
  })),
  ...[
    ResponseType.INTEGRATION_FAILURE,
    ResponseType.AUTHORIZER_FAILURE,
    ResponseType.AUTHORIZER_CONFIGURATION_ERROR,
    ResponseType.API_CONFIGURATION_ERROR,
    ResponseType.DEFAULT_5XX,
  ].map((type) => ({
    type,
    status: 503,
    title: "Not now",
    detail:
      "The request could not be handled. Send the same one again; what was already taken is not taken twice.",
    headers: { "Retry-After": "5" },
  })),
];

/**
 * Makes API Gateway's own refusals problem documents like ours.
 *
 * @param everywhere headers, as literals, of every one
 * @see RFC 9457
 */
export function addGatewayResponses(api: RestApi, everywhere: Readonly<Record<string, string>> = {}): void {
  for (const { type, status, title, detail, headers } of refusals) {
    const literals = Object.entries({ ...everywhere, ...headers }).map(([name, value]) => [
      name,
      `'${value}'`,
    ]);
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(status),
      responseHeaders: { "Content-Type": "'application/problem+json'", ...Object.fromEntries(literals) },
      templates: { "application/json": JSON.stringify({ type: "about:blank", title, status, detail }) },
    });
  }
}
