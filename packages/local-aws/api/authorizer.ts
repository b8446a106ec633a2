import * as z from "zod";
import { FunctionError } from "../functions/function-error.ts";
import type { LocalFunction } from "../functions/local-function.ts";
import type { ApiRequest } from "./api-request.ts";
import { GatewayRefusalError } from "./gateway-refusal.ts";
import type { Authorization, RequestPart } from "./proxy-event.ts";

/** `*` matches any number of characters, also slashes, and `?` exactly one. */
function compiled(pattern: string, flags = ""): RegExp {
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${expression}$`, `s${flags}`);
}

/** Patterns are compiled here: an authorizer's policy is cached, and evaluated for each request. */
const patterns = (flags = "") =>
  z
    .union([z.string(), z.array(z.string())])
    .transform((value) => [value].flat().map((pattern) => compiled(pattern, flags)));

const statementSchema = z.strictObject({
  Sid: z.string().optional(),
  Effect: z.enum(["Allow", "Deny"]),
  Action: patterns("i"),
  Resource: patterns(),
});

/** A policy in the part of IAM's language that the local run supports; a condition is an error, not ignored. */
export const policySchema = z.strictObject({
  Version: z.string().optional(),
  Id: z.string().optional(),
  Statement: z
    .union([statementSchema, z.array(statementSchema)])
    .transform((value): z.output<typeof statementSchema>[] => [value].flat()),
});

/** A policy, with its statements as a list, and its actions and resources as expressions. */
type Policy = z.output<typeof policySchema>;

/**
 * Evaluates a policy for an action on a resource by IAM's rules: a matching Deny overrides every Allow, and without a
 * matching Allow the action is implicitly denied.
 *
 * @param action such as execute-api:Invoke; its case does not matter
 * @param resource ARN
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html
 */
export function evaluatePolicy(
  policy: Policy,
  action: string,
  resource: string,
): "allow" | "deny" | "implicit deny" {
  const effects = policy.Statement.filter(
    ({ Action, Resource }) =>
      Action.some((pattern) => pattern.test(action)) && Resource.some((pattern) => pattern.test(resource)),
  ).map(({ Effect }) => Effect);
  if (effects.includes("Deny")) return "deny";
  return effects.includes("Allow") ? "allow" : "implicit deny";
}

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
