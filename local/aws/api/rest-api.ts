import type { IncomingMessage, ServerResponse } from "node:http";
import { type AwsEnvironment, arn } from "../environment.ts";
import { InvocationError } from "../functions/function-error.ts";
import type { LocalFunction } from "../functions/local-function.ts";
import { type LoopbackServer, startLoopbackServer } from "../loopback-server.ts";
import { type ApiAnswer, readAnswer } from "./api-answer.ts";
import { type ApiRequest, readBody, readRequest } from "./api-request.ts";
import { type Authorize, type Authorizer, createAuthorizer } from "./authorizer.ts";
import { compressed } from "./compression.ts";
import { GatewayRefusal } from "./gateway-refusal.ts";
import { type ContextVariables, createGatewayResponses } from "./gateway-responses.ts";
import { type ApiIdentity, proxyEvent, requestPart } from "./proxy-event.ts";
import type { MethodDeclaration, RequiredParameter, RestApiDeclaration } from "./rest-api-declaration.ts";
import { createRouter, type Match, type Route } from "./routes.ts";
import type { UsagePlans } from "./usage-plans.ts";

/** Asks a method's integration for the answer to a request. */
type Integrate = (event: string, binary: boolean) => Promise<ApiAnswer>;

interface Method {
  readonly required: readonly RequiredParameter[];
  readonly authorize: Authorize | undefined;
  readonly counted: boolean;
  readonly integrate: Integrate;
}

/** What an API needs beside its declaration. */
export interface RestApiDependencies {
  readonly environment: AwsEnvironment;
  readonly function: (functionArn: string) => LocalFunction | undefined;
  readonly usagePlans: UsagePlans;
  /** Told the status of every answer that the API itself gives. */
  readonly answered: (status: number) => void;
  /** Told of errors that are the local run's own. */
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
  const timer = setTimeout(() => late.reject(new GatewayRefusal("INTEGRATION_TIMEOUT")), milliseconds);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function lambdaIntegration(target: LocalFunction, timeoutMilliseconds: number): Integrate {
  return async (event, binary) => {
    let answer: string;
    try {
      answer = await withinTime(target.invoke(event), timeoutMilliseconds);
    } catch (cause) {
      if (cause instanceof GatewayRefusal) throw cause;
      if (!(cause instanceof InvocationError)) throw new GatewayRefusal("DEFAULT_5XX", { cause });
      const tooLarge = cause.code === "RequestTooLargeException";
      throw new GatewayRefusal(tooLarge ? "REQUEST_TOO_LARGE" : "INTEGRATION_FAILURE", { cause });
    }
    return readAnswer(answer, binary);
  };
}

/** @throws GatewayRefusal where a required parameter is not there or blank */
function requireParameters({ header, query }: ApiRequest, required: readonly RequiredParameter[]): void {
  const missing = required.filter(({ location, name }) => {
    const value = location === "header" ? header(name.toLowerCase()) : query[name]?.at(-1);
    return value === undefined || value.trim() === "";
  });
  if (missing.length === 0) return;
  const told = `Missing required request parameters: [${missing.map(({ name }) => name).join(", ")}]`;
  throw new GatewayRefusal("BAD_REQUEST_PARAMETERS", { told });
}

/** Whether a header names a media type that the API treats as binary. */
function isBinary(mediaTypes: readonly string[], header: string | undefined): boolean {
  const named = (header ?? "").split(",").map((type) => type.split(";")[0]?.trim().toLowerCase());
  return mediaTypes.some((type) => type === "*/*" || named.includes(type.toLowerCase()));
}

function contextVariables(
  request: ApiRequest,
  apiId: string,
  match: Match<Method> | undefined,
): ContextVariables {
  return {
    apiId,
    extendedRequestId: request.extendedId,
    httpMethod: request.method,
    "identity.sourceIp": request.sourceIp,
    path: `/${request.stage}${request.path}`,
    protocol: request.protocol,
    requestId: request.id,
    requestTime: request.receivedAt.toUTCString(),
    requestTimeEpoch: String(request.receivedAt.getTime()),
    resourcePath: match?.route.resourcePath ?? "",
    stage: request.stage,
  };
}

function writeAnswer(
  response: ServerResponse,
  request: ApiRequest,
  { status, headers, body }: ApiAnswer,
): void {
  const bodiless = request.method === "HEAD" || status === 204 || status === 304;
  response.writeHead(status, {
    ...headers,
    ...(bodiless ? {} : { "content-length": body.length }),
    "x-amzn-requestid": request.id,
    "x-amz-apigw-id": request.extendedId,
  });
  response.end(bodiless ? undefined : body);
}

function routesOf(
  { paths, methods, authorizers }: RestApiDeclaration,
  { function: functionBy }: RestApiDependencies,
): { routes: Route<Method>[]; authorizers: Authorizer[] } {
  const find = (functionArn: string): LocalFunction => {
    const found = functionBy(functionArn);
    if (found === undefined)
      throw new Error(`the API names ${functionArn}, which is no function of this stack`);
    return found;
  };
  const authorizersById = new Map(
    Array.from(authorizers, ([id, settings]) => [
      id,
      createAuthorizer(find(settings.functionArn), settings, Date.now),
    ]),
  );
  const method = ({ authorizerId, counted, required, integration }: MethodDeclaration): Method => ({
    authorize: authorizerId === undefined ? undefined : authorizersById.get(authorizerId)?.authorize,
    counted,
    required,
    integrate:
      "answer" in integration
        ? async () => integration.answer
        : lambdaIntegration(find(integration.functionArn), integration.timeoutMilliseconds),
  });
  const routes = Array.from(paths, ([resourceId, path]) => ({
    resourceId,
    resourcePath: path === "" ? "/" : path,
    methods: new Map(
      methods.filter((one) => one.resourceId === resourceId).map((one) => [one.httpMethod, method(one)]),
    ),
  }));
  return { routes, authorizers: [...authorizersById.values()] };
}

/**
 * Serves a declared REST API on 127.0.0.1 as API Gateway would: routes, authorizers, integrations, limits and
 * gateway responses.
 *
 * @param port 0 for any that is free
 * @throws Error naming what the declaration lacks, or what it asks for that is not there
 */
export async function startRestApi(
  api: RestApiDeclaration,
  dependencies: RestApiDependencies,
  port: number,
): Promise<RestApi> {
  const { environment, usagePlans, log, answered } = dependencies;
  const { id: apiId, stage, binaryMediaTypes } = api;
  if (apiId === undefined || stage === undefined) throw new Error("the stack has no REST API with a stage");
  const { routes, authorizers } = routesOf(api, dependencies);
  const route = createRouter(routes);
  const refuse = createGatewayResponses(api.gatewayResponses);
  const identity: ApiIdentity = {
    apiId,
    accountId: environment.accountId,
    deploymentId: stage.deploymentId,
    stageVariables: stage.variables,
  };

  const answer = async (
    message: IncomingMessage,
    request: ApiRequest,
    match: Match<Method>,
  ): Promise<ApiAnswer> => {
    const part = requestPart(request, match, identity);
    const { authorize, counted, required, integrate } = match.method;
    const path = request.path.replaceAll(/\/+/g, "/");
    const methodArn = arn(environment, "execute-api", `${apiId}/${stage.name}/${request.method}${path}`);
    const authorization = await authorize?.(request, methodArn, part);
    if (counted) usagePlans.count(authorization?.usageKey);
    requireParameters(request, required);
    const body = await readBody(message);
    const event = proxyEvent(
      part,
      authorization,
      body,
      isBinary(binaryMediaTypes, request.header("content-type")),
    );
    return integrate(event, isBinary(binaryMediaTypes, request.header("accept")));
  };

  const respond = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = readRequest(message);
    if (request.stage !== stage.name) {
      // Not this API's to word: without a stage API Gateway does not know which API is meant.
      const body = Buffer.from('{"message":"Forbidden"}');
      writeAnswer(response, request, { status: 403, headers: { "content-type": "application/json" }, body });
      return;
    }
    const match = route(request.method, request.path);
    let own: ApiAnswer;
    try {
      if (match === undefined) throw new GatewayRefusal("MISSING_AUTHENTICATION_TOKEN");
      own = await answer(message, request, match);
    } catch (error) {
      if (!(error instanceof GatewayRefusal)) throw error;
      own = refuse(error, contextVariables(request, apiId, match), request.header("accept") ?? "");
    }
    answered(own.status);
    const acceptEncoding = request.header("accept-encoding") ?? "";
    writeAnswer(response, request, await compressed(own, api.minimumCompressionBytes, acceptEncoding));
  };

  const server = await startLoopbackServer((message, response) => {
    respond(message, response).catch((error: unknown) => {
      // A client that has gone away is no fault of anyone's.
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
