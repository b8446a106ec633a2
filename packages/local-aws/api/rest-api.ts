import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { type CompressCallback, deflate, gzip } from "node:zlib";
import { type AwsEnvironment, arn } from "../base/environment.ts";
import { type LoopbackServer, startLoopbackServer } from "../base/loopback-server.ts";
import { InvocationError } from "../functions/function-error.ts";
import type { LocalFunction } from "../functions/local-function.ts";
import { type ApiRequest, readBody, readRequest } from "./api-request.ts";
import { type ApiResponse, readProxyResponse, readStreamedResponse } from "./api-response.ts";
import { type Authorize, type Authorizer, createAuthorizer } from "./authorizer.ts";
import { GatewayRefusalError } from "./gateway-refusal.ts";
import { createGatewayResponses } from "./gateway-responses.ts";
import { type ApiIdentity, proxyEvent, requestPart } from "./proxy-event.ts";
import type { ApiParts, MethodDeclaration, RestApiDeclaration } from "./rest-api-declaration.ts";
import { createRouter, type Match, type ResourceRoute } from "./routes.ts";
import { shortId } from "./short-id.ts";
import type { UsagePlans } from "./usage-plans.ts";

/** The quickest level: everything here shares the machine's processors. */
const options = { level: 1 };

const encoders: Readonly<Record<string, (body: Buffer) => Promise<Buffer>>> = {
  gzip: promisify((body: Buffer, done: CompressCallback) => gzip(body, options, done)),
  deflate: promisify((body: Buffer, done: CompressCallback) => deflate(body, options, done)),
};

/** The content coding for a client; undefined for none. */
function codingFor(acceptEncoding: string): string | undefined {
  const accepted = acceptEncoding
    .toLowerCase()
    .split(",")
    .map((coding) => coding.trim().split(/\s*;\s*q=/))
    .filter(([, quality]) => Number(quality ?? 1) > 0)
    .map(([coding]) => coding);
  return Object.keys(encoders).find((coding) => accepted.includes(coding) || accepted.includes("*"));
}

/**
 * Compresses a response if it is large enough, is not streamed, and the client accepts that.
 *
 * @param minimumBytes undefined if the API compresses nothing
 */
async function compressed(
  answer: ApiResponse,
  minimumBytes: number | undefined,
  acceptEncoding: string,
): Promise<ApiResponse> {
  if (minimumBytes === undefined || answer.body.length < minimumBytes) return answer;
  if (answer.streamed || answer.headers["content-encoding"]) return answer;
  const coding = codingFor(acceptEncoding);
  const encode = coding && encoders[coding];
  if (!encode) return answer;
  return {
    ...answer,
    headers: { ...answer.headers, "content-encoding": coding },
    body: await encode(answer.body),
  };
}

/** Passes a request to a method's integration, and returns its response. */
type Integrate = (event: string) => Promise<ApiResponse>;

interface Method {
  readonly required: MethodDeclaration["required"];
  readonly authorize: Authorize | undefined;
  readonly counted: boolean;
  readonly integrate: Integrate;
}

/** The functions and usage plans that a declared API uses, and callbacks for metrics and logs. */
interface RestApiDependencies {
  readonly environment: AwsEnvironment;
  readonly function: (functionArn: string) => LocalFunction | undefined;
  readonly usagePlans: UsagePlans;
  /** Called with the status of every response. */
  readonly answered: (status: number) => void;
  /** Called with each error of the local run itself. */
  readonly log: (text: string) => void;
}

/** A running API. */
export interface RestApi extends LoopbackServer {
  /** Base address with the stage. */
  readonly base: string;
  /** Empties the authorizer's cache. */
  forgetAuthorizations(): void;
}

async function withinTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new GatewayRefusalError("INTEGRATION_TIMEOUT")), milliseconds);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function lambdaIntegration(target: LocalFunction, timeoutMilliseconds: number, streams: boolean): Integrate {
  return async (event) => {
    try {
      if (streams) {
        const streamed = target.invokeWithResponseStream(event);
        return readStreamedResponse(await withinTime(streamed, timeoutMilliseconds));
      }
      return readProxyResponse(await withinTime(target.invoke(event), timeoutMilliseconds));
    } catch (cause) {
      if (cause instanceof GatewayRefusalError) throw cause;
      if (!(cause instanceof InvocationError)) throw new GatewayRefusalError("DEFAULT_5XX", { cause });
      const tooLarge = cause.code === "RequestTooLargeException";
      throw new GatewayRefusalError(tooLarge ? "REQUEST_TOO_LARGE" : "INTEGRATION_FAILURE", { cause });
    }
  };
}

/** @throws GatewayRefusalError if a required header is missing or blank */
function requireHeaders({ header }: ApiRequest, required: Method["required"]): void {
  const missing = required.filter((name) => !header(name.toLowerCase())?.trim());
  if (missing.length === 0) return;
  const clientMessage = `Missing required request parameters: [${missing.join(", ")}]`;
  throw new GatewayRefusalError("BAD_REQUEST_PARAMETERS", { clientMessage });
}

function writeResponse(
  response: ServerResponse,
  request: ApiRequest,
  { status, headers, body, streamed }: ApiResponse,
): void {
  const bodiless = request.method === "HEAD" || status === 204 || status === 304;
  response.writeHead(status, {
    ...headers,
    // The length of a streamed body is not known when its headers are sent.
    ...(!bodiless && !streamed && { "content-length": body.length }),
    "x-amzn-requestid": request.id,
    "x-amz-apigw-id": request.extendedId,
  });
  response.end(bodiless ? undefined : body);
}

function listRoutes(
  { methods, authorizers }: ApiParts,
  { environment, function: functionBy }: RestApiDependencies,
): { routes: ResourceRoute<Method>[]; authorizers: Authorizer[] } {
  const find = (functionArn: string): LocalFunction => {
    const found = functionBy(functionArn);
    if (found === undefined)
      throw new Error(`the API invokes ${functionArn}, but the stack has no such function`);
    return found;
  };
  const authorizersByName = new Map(
    Array.from(authorizers, ([name, settings]) => [
      name,
      createAuthorizer(find(settings.functionArn), settings, Date.now),
    ]),
  );
  const method = ({ authorizer, counted, required, integration }: MethodDeclaration): Method => ({
    authorize: authorizer === undefined ? undefined : authorizersByName.get(authorizer)?.authorize,
    counted,
    required,
    integrate: lambdaIntegration(
      find(integration.functionArn),
      integration.timeoutMilliseconds,
      integration.streams,
    ),
  });
  const byPath = Map.groupBy(methods, ({ path }) => path);
  const routes = Array.from(byPath, ([resourcePath, own]) => ({
    resourceId: shortId(environment, resourcePath),
    resourcePath,
    methods: new Map(own.map((one) => [one.httpMethod, method(one)])),
  }));
  return { routes, authorizers: [...authorizersByName.values()] };
}

/** Makes the function that passes a request through its method: the authorizer, the usage plan, and the integration. */
function createAnswer(identity: ApiIdentity, { environment, usagePlans }: RestApiDependencies) {
  return async (
    message: IncomingMessage,
    request: ApiRequest,
    match: Match<Method>,
  ): Promise<ApiResponse> => {
    const part = requestPart(request, match, identity);
    const { authorize, counted, required, integrate } = match.method;
    const path = request.path.replaceAll(/\/+/g, "/");
    const called = `${identity.apiId}/${request.stage}/${request.method}${path}`;
    const authorization = await authorize?.(request, arn(environment, "execute-api", called), part);
    if (counted) usagePlans.count(authorization?.usageKey);
    requireHeaders(request, required);
    return integrate(proxyEvent(part, authorization, await readBody(message)));
  };
}

const forbidden: ApiResponse = {
  status: 403,
  headers: { "content-type": "application/json" },
  body: Buffer.from('{"message":"Forbidden"}'),
};

/**
 * Serves a declared REST API on 127.0.0.1 as API Gateway does: routes, authorizers, integrations, limits and gateway
 * responses.
 *
 * @param port 0 for any that is free
 * @throws Error if the declaration has no API or stage, or names a function or variable that does not exist
 */
export async function startRestApi(
  api: RestApiDeclaration,
  dependencies: RestApiDependencies,
  port: number,
): Promise<RestApi> {
  const { environment, log, answered } = dependencies;
  const { id: apiId, stage, parts } = api;
  if (apiId === undefined || stage === undefined) throw new Error("the stack has no REST API with a stage");
  const { routes, authorizers } = listRoutes(parts, dependencies);
  const route = createRouter(routes);
  const refuse = createGatewayResponses(parts.gatewayResponses);
  const identity: ApiIdentity = {
    apiId,
    accountId: environment.accountId,
    deploymentId: stage.deploymentId,
  };

  const answer = createAnswer(identity, dependencies);

  const respond = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = readRequest(message);
    if (request.stage !== stage.name) {
      // The API's gateway responses do not apply: API Gateway finds the API by its stage.
      writeResponse(response, request, forbidden);
      return;
    }
    const match = route(request.method, request.path);
    let own: ApiResponse;
    try {
      if (match === undefined) throw new GatewayRefusalError("MISSING_AUTHENTICATION_TOKEN");
      own = await answer(message, request, match);
    } catch (error) {
      if (!(error instanceof GatewayRefusalError)) throw error;
      own = refuse(error);
    }
    answered(own.status);
    const acceptEncoding = request.header("accept-encoding") ?? "";
    writeResponse(response, request, await compressed(own, api.minimumCompressionBytes, acceptEncoding));
  };

  const server = await startLoopbackServer((message, response) => {
    respond(message, response).catch((error: unknown) => {
      // A client that has disconnected is not an error.
      if (!message.destroyed) log(error instanceof Error ? (error.stack ?? error.message) : String(error));
      response.destroy();
    });
  }, port);
  return {
    ...server,
    base: `${server.address}/${stage.name}`,
    forgetAuthorizations() {
      for (const { forget } of authorizers) forget();
    },
  };
}
