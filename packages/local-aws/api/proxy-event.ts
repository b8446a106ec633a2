import type { APIGatewayEventRequestContext, APIGatewayProxyEvent } from "aws-lambda";
import type { ApiRequest } from "./api-request.ts";
import type { Match } from "./routes.ts";

/** The API's ids and names in an event. */
export interface ApiIdentity {
  readonly apiId: string;
  readonly accountId: string;
  readonly deploymentId: string;
}

/** What the authorizer tells the integration about the caller. */
export interface Authorization {
  readonly principalId: string;
  readonly context: Readonly<Record<string, string>>;
  /** Value of the API key that the caller's requests count towards. */
  readonly usageKey: string | undefined;
}

/** The part of an event that authorizers and integrations share. */
export type RequestPart = Omit<APIGatewayProxyEvent, "body" | "isBase64Encoded">;

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Common log format, such as 10/Jul/2026:19:19:04 +0000 */
function requestTime(time: Date): string {
  const [date = "", clock = ""] = time.toISOString().slice(0, 19).split("T");
  const [year, month, day] = date.split("-");
  return `${day}/${months[Number(month) - 1]}/${year}:${clock} +0000`;
}

/** The last of each name's values. */
function single(values: Readonly<Record<string, string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.at(-1) ?? ""]));
}

function orNull<T extends object>(values: T): T | null {
  return Object.keys(values).length > 0 ? values : null;
}

function requestContext(
  request: ApiRequest,
  { route }: Match<unknown>,
  api: ApiIdentity,
): APIGatewayEventRequestContext {
  const host = request.header("host") ?? "";
  return {
    accountId: api.accountId,
    apiId: api.apiId,
    authorizer: undefined,
    deploymentId: api.deploymentId,
    domainName: host,
    domainPrefix: host.split(".")[0] ?? "",
    extendedRequestId: request.extendedId,
    httpMethod: request.method,
    identity: {
      accessKey: null,
      accountId: null,
      apiKey: null,
      apiKeyId: null,
      caller: null,
      clientCert: null,
      cognitoAuthenticationProvider: null,
      cognitoAuthenticationType: null,
      cognitoIdentityId: null,
      cognitoIdentityPoolId: null,
      principalOrgId: null,
      sourceIp: request.sourceIp,
      user: null,
      userAgent: request.header("user-agent") ?? null,
      userArn: null,
    },
    path: `/${request.stage}${request.path}`,
    protocol: request.protocol,
    requestId: request.id,
    requestTime: requestTime(request.receivedAt),
    requestTimeEpoch: request.receivedAt.getTime(),
    resourceId: route.resourceId,
    resourcePath: route.resourcePath,
    stage: request.stage,
  } as APIGatewayEventRequestContext;
}

/** A request in payload format version 1.0. */
export function requestPart(request: ApiRequest, match: Match<unknown>, api: ApiIdentity): RequestPart {
  return {
    resource: match.route.resourcePath,
    path: request.path,
    httpMethod: request.method,
    headers: single(request.headers),
    multiValueHeaders: request.headers,
    queryStringParameters: orNull(single(request.query)),
    multiValueQueryStringParameters: orNull(request.query),
    pathParameters: orNull(match.pathParameters),
    stageVariables: null,
    requestContext: requestContext(request, match, api),
  };
}

/** The event of a proxy integration, as JSON text. */
export function proxyEvent(
  part: RequestPart,
  authorization: Authorization | undefined,
  body: Buffer,
): string {
  const authorizer = authorization && { ...authorization.context, principalId: authorization.principalId };
  return JSON.stringify({
    ...part,
    requestContext: { ...part.requestContext, authorizer },
    body: body.length === 0 ? null : body.toString(),
    isBase64Encoded: false,
  });
}
