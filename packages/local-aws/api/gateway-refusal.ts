interface Refusal {
  readonly status: number;
  readonly exception: string;
  readonly message: string | null;
}

/**
 * API Gateway's default responses to requests that it refuses itself, by response type.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/supported-gateway-response-types.html
 */
export const refusals = {
  ACCESS_DENIED: {
    status: 403,
    exception: "AccessDeniedException",
    message: "User is not authorized to access this resource",
  },
  AUTHORIZER_CONFIGURATION_ERROR: {
    status: 500,
    exception: "AuthorizerConfigurationException",
    message: null,
  },
  DEFAULT_4XX: { status: 400, exception: "BadRequestException", message: "Bad Request" },
  BAD_REQUEST_PARAMETERS: {
    status: 400,
    exception: "BadRequestException",
    message: "Missing required request parameters",
  },
  // The function failed, or its result is not a proxy response.
  DEFAULT_5XX: { status: 502, exception: "InternalServerErrorException", message: "Internal server error" },
  // The function is throttled. AWS documents 504, but API Gateway answers 500.
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

/** Response types that an API may declare but the local run never uses. */
export const neverRefused: ReadonlySet<string> = new Set([
  "API_CONFIGURATION_ERROR",
  "AUTHORIZER_FAILURE",
  "BAD_REQUEST_BODY",
  "EXPIRED_TOKEN",
  "INVALID_SIGNATURE",
  "RESOURCE_NOT_FOUND",
  "WAF_FILTERED",
]);

/** Type of the gateway response to a refused request. */
export type RefusalType = keyof typeof refusals;

/** API Gateway refuses a request, or cannot answer it. */
export class GatewayRefusalError extends Error {
  override readonly name = "GatewayRefusalError";
  readonly type: RefusalType;
  /** The message in the response; null for none. */
  readonly clientMessage: string | null;

  constructor(type: RefusalType, options?: ErrorOptions & { clientMessage?: string }) {
    super(type, options);
    this.type = type;
    this.clientMessage = options?.clientMessage ?? refusals[type].message;
  }
}
