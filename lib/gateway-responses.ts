import { submissionLimits } from "../core/cards/read-submission.ts";

type Headers = Readonly<Record<string, string>>;

const refusal = (status: number, title: string, detail: string, headers: Headers = {}) => ({
  status,
  title,
  detail,
  headers,
});

const noSuchPath = refusal(
  404,
  "No such path",
  "There is nothing at this path for this method. openapi.json lists every path with its methods.",
);
const badRequest = refusal(
  400,
  "Bad request",
  "The request cannot be read, or there is nothing at this path. openapi.json describes every request.",
);
const serviceUnavailable = refusal(
  503,
  "Not now",
  "The request could not be handled. Send the same one again; what was already taken is not taken twice.",
  { "Retry-After": "5" },
);

/** The responses that API Gateway itself may send. @see API Gateway developer guide, Gateway response types */
const refusals: Readonly<Record<string, ReturnType<typeof refusal>>> = {
  UNAUTHORIZED: refusal(
    401,
    "Unauthorized",
    "Send the user name and password of a vendor account by HTTP Basic authentication.",
    { "WWW-Authenticate": 'Basic realm="scorecards", charset="UTF-8"' },
  ),
  ACCESS_DENIED: refusal(
    403,
    "Forbidden",
    "This account may not use this API set or this resource. Log in at login.aspx to see what it may use, and ask the operator to grant it more.",
  ),
  MISSING_AUTHENTICATION_TOKEN: noSuchPath,
  RESOURCE_NOT_FOUND: noSuchPath,
  // At an unknown path API Gateway reads Authorization as an AWS signature, which it may then find invalid or expired.
  INVALID_SIGNATURE: noSuchPath,
  EXPIRED_TOKEN: noSuchPath,
  INVALID_API_KEY: refusal(
    403,
    "No usage plan",
    "This account has no usage plan, so its requests are rejected. Ask the operator for one.",
  ),
  WAF_FILTERED: refusal(403, "Forbidden", "A firewall blocked this request. Ask the operator why."),
  BAD_REQUEST_PARAMETERS: refusal(
    400,
    "Token missing",
    "Send the player's access token in the header Token.",
  ),
  REQUEST_TOO_LARGE: refusal(
    413,
    "Request too large",
    `A submission may have at most ${submissionLimits.cards} scorecards and ${submissionLimits.bytes / 2 ** 20} MiB. Send the cards in several submissions.`,
  ),
  UNSUPPORTED_MEDIA_TYPE: refusal(
    415,
    "Unsupported media type",
    "Send JSON in UTF-8, plain or gzipped, with Content-Type: application/json. A gzipped body must be whole.",
  ),
  THROTTLED: refusal(
    429,
    "Too many requests",
    `Send fewer requests a second; one submission may carry ${submissionLimits.cards} scorecards.`,
    { "Retry-After": "1" },
  ),
  QUOTA_EXCEEDED: refusal(429, "Quota used up", "This account has used up its requests for today.", {
    "Retry-After": "3600",
  }),
  INTEGRATION_TIMEOUT: refusal(
    504,
    "No answer in time",
    "The answer took too long. Send the same request again; what was already taken is not taken twice.",
    { "Retry-After": "5" },
  ),
  BAD_REQUEST_BODY: badRequest,
  DEFAULT_4XX: badRequest,
  INTEGRATION_FAILURE: serviceUnavailable,
  AUTHORIZER_FAILURE: serviceUnavailable,
  AUTHORIZER_CONFIGURATION_ERROR: serviceUnavailable,
  API_CONFIGURATION_ERROR: serviceUnavailable,
  DEFAULT_5XX: serviceUnavailable,
};

/** Headers with which pages of the allowed origins can read API Gateway's own refusals. */
function crossOriginHeaders([only, ...others]: readonly string[]): Headers {
  if (only === undefined) return {};
  return {
    // API Gateway cannot choose by the request's origin here. Its refusals hold no data of anybody, so * is safe.
    "Access-Control-Allow-Origin": others.length === 0 ? only : "*",
    "Access-Control-Expose-Headers": "Retry-After, x-amzn-RequestId",
  };
}

/** A response of API Gateway's own, as its OpenAPI extension writes it. */
export interface GatewayResponse {
  readonly statusCode: string;
  readonly responseParameters: Headers;
  /** By content type. */
  readonly responseTemplates: Readonly<Record<string, string>>;
}

/**
 * API Gateway's own refusals as problem documents like those of the functions, by their type.
 *
 * @see RFC 9457
 * @see API Gateway developer guide, x-amazon-apigateway-gateway-responses
 */
export function gatewayResponses(allowedOrigins: readonly string[]): Record<string, GatewayResponse> {
  const responses = Object.entries(refusals).map(([type, { status, title, detail, headers }]) => {
    const all = {
      "Content-Type": "application/problem+json",
      ...crossOriginHeaders(allowedOrigins),
      ...headers,
    };
    const literals = Object.entries(all).map(([name, value]) => [
      `gatewayresponse.header.${name}`,
      `'${value}'`,
    ]);
    const response: GatewayResponse = {
      statusCode: String(status),
      responseParameters: Object.fromEntries(literals),
      responseTemplates: {
        "application/json": JSON.stringify({ type: "about:blank", title, status, detail }),
      },
    };
    return [type, response];
  });
  return Object.fromEntries(responses);
}
