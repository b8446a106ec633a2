import * as z from "zod";
import { FunctionError } from "../functions/function-error.ts";
import type { LocalFunction } from "../functions/local-function.ts";
import type { ApiRequest } from "./api-request.ts";
import { GatewayRefusalError } from "./gateway-refusal.ts";
import { evaluatePolicy, policySchema } from "./policy-evaluation.ts";
import type { Authorization, RequestPart } from "./proxy-event.ts";

/**
 * Authorizes a request.
 *
 * @param methodArn ARN of the requested method and path
 * @throws GatewayRefusalError if the request is not authorized
 */
export type Authorize = (request: ApiRequest, methodArn: string, part: RequestPart) => Promise<Authorization>;

/** An authorizer of the API. */
export interface Authorizer {
  readonly authorize: Authorize;
  /** Empties the cache of policies. */
  forget(): void;
}

/** Settings of a request authorizer. */
export interface AuthorizerSettings {
  /** Such as method.request.header.Authorization; a request must have them all. */
  readonly identitySources: readonly string[];
  /** How long a policy is cached for an identity; 0 for not at all. */
  readonly cacheSeconds: number;
}

const contextValue = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const answerSchema = z.looseObject({
  principalId: z.string(),
  policyDocument: policySchema,
  context: z.record(z.string(), contextValue).nullish(),
  usageIdentifierKey: z.string().nullish(),
});

type AuthorizerResponse = z.output<typeof answerSchema>;

/** Reads the value of an identity source from requests. */
function identityReader(source: string): (request: ApiRequest) => string | undefined {
  const [, name] = /^method\.request\.header\.(.+)$/.exec(source.trim()) ?? [];
  if (name === undefined) throw new Error(`the local run does not support the identity source ${source}`);
  return (request) => request.header(name.toLowerCase());
}

async function invokeAuthorizer(
  authorizer: LocalFunction,
  methodArn: string,
  part: RequestPart,
): Promise<AuthorizerResponse> {
  try {
    const answer = await authorizer.invoke(JSON.stringify({ type: "REQUEST", methodArn, ...part }));
    return answerSchema.parse(JSON.parse(answer));
  } catch (cause) {
    const unauthorized = cause instanceof FunctionError && cause.reported.errorMessage === "Unauthorized";
    if (unauthorized) throw new GatewayRefusalError("UNAUTHORIZED", { cause });
    throw new GatewayRefusalError("AUTHORIZER_CONFIGURATION_ERROR", { cause });
  }
}

/**
 * A request authorizer as API Gateway runs it. A request that lacks an identity source is refused without invoking the
 * function. The policy that the function returns is cached for the identity, and evaluated for each method it calls.
 *
 * @param now milliseconds since 1970
 * @throws Error naming an identity source of an unknown kind
 */
export function createAuthorizer(
  authorizer: LocalFunction,
  settings: AuthorizerSettings,
  now: () => number,
): Authorizer {
  const readers = settings.identitySources.map(identityReader);
  const cache = new Map<string, { answer: AuthorizerResponse; expiresAt: number }>();

  const keep = (identity: string, answer: AuthorizerResponse): void => {
    for (const [old, { expiresAt }] of cache) if (expiresAt <= now()) cache.delete(old);
    cache.set(identity, { answer, expiresAt: now() + settings.cacheSeconds * 1000 });
  };

  const authorize: Authorize = async (request, methodArn, part) => {
    const values = readers.map((read) => read(request));
    if (values.some((value) => !value)) throw new GatewayRefusalError("UNAUTHORIZED");
    const identity = JSON.stringify(values);
    const known = cache.get(identity);
    const answer =
      known !== undefined && known.expiresAt > now()
        ? known.answer
        : await invokeAuthorizer(authorizer, methodArn, part);
    if (settings.cacheSeconds > 0 && answer !== known?.answer) keep(identity, answer);
    const decision = evaluatePolicy(answer.policyDocument, "execute-api:Invoke", methodArn);
    if (decision === "deny") {
      const clientMessage = "User is not authorized to access this resource with an explicit deny";
      throw new GatewayRefusalError("ACCESS_DENIED", { clientMessage });
    }
    if (decision === "implicit deny") throw new GatewayRefusalError("ACCESS_DENIED");
    const { principalId, context, usageIdentifierKey } = answer;
    return { principalId, context: context ?? {}, usageKey: usageIdentifierKey ?? undefined };
  };
  return { authorize, forget: () => cache.clear() };
}
