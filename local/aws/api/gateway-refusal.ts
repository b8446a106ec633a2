interface Refusal {
  readonly status: number;
  readonly exception: string;
  readonly message: string | null;
}

/**
 * What API Gateway answers of its own accord, by response type, where the API does not say otherwise.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
export const refusals = {
  ACCESS_DENIED: {
    status: 403,
    exception: "AccessDeniedException",
    message: "User is not authorized to access this resource",
  },
  API_CONFIGURATION_ERROR: {
    status: 500,
    exception: "InternalServerErrorException",
    message: "Internal server error",
  },
  AUTHORIZER_CONFIGURATION_ERROR: {
    status: 500,
    exception: "AuthorizerConfigurationException",
    message: null,
  },
  AUTHORIZER_FAILURE: { status: 500, exception: "AuthorizerFailureException", message: null },
  DEFAULT_4XX: { status: 400, exception: "BadRequestException", message: "Bad Request" },
  BAD_REQUEST_PARAMETERS: {
    status: 400,
    exception: "BadRequestException",
    message: "Missing required request parameters",
  },
  // A function that fails, or whose answer is not one.
  DEFAULT_5XX: { status: 502, exception: "InternalServerErrorException", message: "Internal server error" },
  // A function that is throttled; documented as 504 but seen as 500.
  INTEGRATION_FAILURE: {
    status: 500,
    exception: "InternalServerErrorException",
    message: "Internal server error",
  },
  INTEGRATION_TIMEOUT: {
    status: 504,
    exception: "InternalServerErrorException",
    message: "Endpoint request timed out",
  },
  INVALID_API_KEY: { status: 403, exception: "ForbiddenException", message: "Forbidden" },
  MISSING_AUTHENTICATION_TOKEN: {
    status: 403,
    exception: "MissingAuthenticationTokenException",
    message: "Missing Authentication Token",
  },
  QUOTA_EXCEEDED: { status: 429, exception: "LimitExceededException", message: "Limit Exceeded" },
  REQUEST_TOO_LARGE: { status: 413, exception: "RequestTooLargeException", message: "Request Too Long" },
  THROTTLED: { status: 429, exception: "TooManyRequestsException", message: "Too Many Requests" },
  UNAUTHORIZED: { status: 401, exception: "UnauthorizedException", message: "Unauthorized" },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    exception: "UnsupportedMediaTypeException",
    message: "Unsupported Media Type",
  },
} satisfies Record<string, Refusal>;

/** Types for which an API may declare a response, but which the local run never answers with. */
export const neverRefused: ReadonlySet<string> = new Set([
  "BAD_REQUEST_BODY",
  "EXPIRED_TOKEN",
  "INVALID_SIGNATURE",
  "RESOURCE_NOT_FOUND",
  "WAF_FILTERED",
]);

/** A type of gateway response with which a request is refused. */
export type RefusalType = keyof typeof refusals;

/** API Gateway refuses a request, or cannot answer it. */
export class GatewayRefusal extends Error {
  override readonly name = "GatewayRefusal";
  readonly type: RefusalType;
  /** What the caller is told; null for nothing. */
  readonly told: string | null;

  constructor(type: RefusalType, options?: ErrorOptions & { told?: string }) {
    super(type, options);
    this.type = type;
    this.told = options?.told ?? refusals[type].message;
  }
}
