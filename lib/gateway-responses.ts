import { ResponseType, type RestApi } from "aws-cdk-lib/aws-apigateway";

interface Refusal {
  readonly type: ResponseType;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly headers?: Record<string, string>;
}

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
    detail: "This account may not use this API set or this resource. Ask the operator to grant it.",
  },
  {
    type: ResponseType.INVALID_API_KEY,
    status: 403,
    title: "No usage plan",
    detail: "This account has no usage plan, so that nothing is taken of it. Ask the operator for one.",
  },
  {
    type: ResponseType.MISSING_AUTHENTICATION_TOKEN,
    status: 404,
    title: "No such path",
    detail: "There is nothing at this path for this method. The README lists every path.",
  },
  {
    type: ResponseType.RESOURCE_NOT_FOUND,
    status: 404,
    title: "No such path",
    detail: "There is nothing at this path. The README lists every path.",
  },
  {
    type: ResponseType.REQUEST_TOO_LARGE,
    status: 413,
    title: "Request too large",
    detail: "A submission may have at most 1000 scorecards and 5 MiB. Send the cards in several submissions.",
  },
  {
    type: ResponseType.UNSUPPORTED_MEDIA_TYPE,
    status: 415,
    title: "Unsupported media type",
    detail: "Send JSON, plain or gzipped, with Content-Type: application/json.",
  },
  {
    type: ResponseType.THROTTLED,
    status: 429,
    title: "Too many requests",
    detail: "Send fewer requests a second; one submission may carry 1000 scorecards.",
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
  {
    type: ResponseType.INTEGRATION_FAILURE,
    status: 503,
    title: "Not now",
    detail:
      "The request could not be handled. Send the same one again; what was already taken is not taken twice.",
    headers: { "Retry-After": "5" },
  },
  {
    type: ResponseType.DEFAULT_4XX,
    status: 400,
    title: "Bad request",
    detail: "The request cannot be read. The README describes every one.",
  },
  {
    type: ResponseType.DEFAULT_5XX,
    status: 503,
    title: "Not now",
    detail:
      "The request could not be handled. Send the same one again; what was already taken is not taken twice.",
    headers: { "Retry-After": "5" },
  },
];

/** Has API Gateway's own refusals carry the same problem documents as ours. @see RFC 9457 */
export function addGatewayResponses(api: RestApi): void {
  for (const { type, status, title, detail, headers } of refusals) {
    const literals = Object.entries(headers ?? {}).map(([name, value]) => [name, `'${value}'`]);
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(status),
      responseHeaders: { "Content-Type": "'application/problem+json'", ...Object.fromEntries(literals) },
      templates: { "application/json": JSON.stringify({ type: "about:blank", title, status, detail }) },
    });
  }
}
