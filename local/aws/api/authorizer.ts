import * as z from "zod";
import { FunctionError } from "../functions/function-error.ts";
import type { LocalFunction } from "../functions/local-function.ts";
import type { ApiRequest } from "./api-request.ts";
import { GatewayRefusal } from "./gateway-refusal.ts";
import { evaluatePolicy, policySchema } from "./policy-evaluation.ts";
import type { Authorization, RequestPart } from "./proxy-event.ts";

/**
 * Lets a request through or refuses it.
 *
 * @param methodArn the method and path that are asked for
 * @throws GatewayRefusal
 */
export type Authorize = (request: ApiRequest, methodArn: string, part: RequestPart) => Promise<Authorization>;

/** An authorizer of the API. */
export interface Authorizer {
  readonly authorize: Authorize;
  /** Forgets every answer, so that the function is asked anew. */
  forget(): void;
}

/** How a request authorizer is set up. */
export interface AuthorizerSettings {
  /** Such as method.request.header.Authorization; all have to be there. */
  readonly identitySources: readonly string[];
  /** How long an answer serves for the same identity; 0 for not at all. */
  readonly cacheSeconds: number;
}

const contextValue = z.union([z.string(), z.number(), z.boolean()]).transform(String);

const answerSchema = z.looseObject({
  principalId: z.string(),
  policyDocument: policySchema,
  context: z.record(z.string(), contextValue).nullish(),
  usageIdentifierKey: z.string().nullish(),
});

type AuthorizerAnswer = z.output<typeof answerSchema>;

/** Reads the value of an identity source from requests. */
function identityReader(source: string): (request: ApiRequest) => string | undefined {
  const [, location, name = ""] = /^method\.request\.(header|querystring)\.(.+)$/.exec(source.trim()) ?? [];
  if (location === "header") return (request) => request.header(name.toLowerCase());
  if (location === "querystring") return (request) => request.query[name]?.at(-1);
  throw new Error(`the local run cannot read the identity source ${source}`);
}

async function ask(
  authorizer: LocalFunction,
  methodArn: string,
  part: RequestPart,
): Promise<AuthorizerAnswer> {
  try {
    const answer = await authorizer.invoke(JSON.stringify({ type: "REQUEST", methodArn, ...part }));
    return answerSchema.parse(JSON.parse(answer));
  } catch (cause) {
    const unauthorized = cause instanceof FunctionError && cause.reported.errorMessage === "Unauthorized";
    if (unauthorized) throw new GatewayRefusal("UNAUTHORIZED", { cause });
    throw new GatewayRefusal("AUTHORIZER_CONFIGURATION_ERROR", { cause });
  }
}

/**
 * A request authorizer as API Gateway runs one. A request without the identity sources is refused without asking the
 * function. The function's answer, a policy, is kept for that identity and evaluated for every method that it then
 * calls.
 *
 * @param now milliseconds since 1970
 * @throws Error naming an identity source of a kind that is not known
 */
export function createAuthorizer(
  authorizer: LocalFunction,
  settings: AuthorizerSettings,
  now: () => number,
): Authorizer {
  const readers = settings.identitySources.map(identityReader);
  const kept = new Map<string, { answer: AuthorizerAnswer; until: number }>();

  const keep = (identity: string, answer: AuthorizerAnswer): void => {
    for (const [old, { until }] of kept) if (until <= now()) kept.delete(old);
    kept.set(identity, { answer, until: now() + settings.cacheSeconds * 1000 });
  };

  const authorize: Authorize = async (request, methodArn, part) => {
    const values = readers.map((read) => read(request));
    if (values.some((value) => !value)) throw new GatewayRefusal("UNAUTHORIZED");
    const identity = JSON.stringify(values);
    const known = kept.get(identity);
    const answer =
      known !== undefined && known.until > now() ? known.answer : await ask(authorizer, methodArn, part);
    if (settings.cacheSeconds > 0 && answer !== known?.answer) keep(identity, answer);
    const verdict = evaluatePolicy(answer.policyDocument, "execute-api:Invoke", methodArn);
    if (verdict === "deny") {
      const told = "User is not authorized to access this resource with an explicit deny";
      throw new GatewayRefusal("ACCESS_DENIED", { told });
    }
    if (verdict === "implicit deny") throw new GatewayRefusal("ACCESS_DENIED");
    const { principalId, context, usageIdentifierKey } = answer;
    return { principalId, context: context ?? {}, usageKey: usageIdentifierKey ?? undefined };
  };
  return { authorize, forget: () => kept.clear() };
}
