import type { ApiAnswer } from "./api-answer.ts";
import { type GatewayRefusal, neverRefused, type RefusalType, refusals } from "./gateway-refusal.ts";

/** How an API words one type of refusal, as the template declares it. */
export interface GatewayResponse {
  readonly statusCode: number | undefined;
  /** Values by `gatewayresponse.header.<name>`: text in single quotes, or a variable of the context. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Bodies by content type. */
  readonly templates: Readonly<Record<string, string>>;
}

/** The variables of a request that templates may name, without `$context.`; none of them has personal data. */
export type ContextVariables = Readonly<Record<string, string>>;

const headerPrefix = "gatewayresponse.header.";
const defaultTemplates = { "application/json": '{"message":$context.error.messageString}' };
const variablePattern = /\$context\.([A-Za-z]+(?:\.[A-Za-z]+)*)/g;

const knownVariables = new Set([
  "apiId",
  "error.message",
  "error.messageString",
  "error.responseType",
  "extendedRequestId",
  "httpMethod",
  "identity.sourceIp",
  "path",
  "protocol",
  "requestId",
  "requestTime",
  "requestTimeEpoch",
  "resourcePath",
  "stage",
]);

function check(type: string, { parameters, templates }: GatewayResponse): void {
  for (const template of Object.values(templates)) {
    for (const [variable, name] of template.matchAll(variablePattern)) {
      if (!knownVariables.has(name as string)) {
        throw new Error(`the gateway response ${type} names ${variable}, which the local run does not know`);
      }
    }
    if (/\$(?!context\.)/.test(template)) {
      throw new Error(`the gateway response ${type} has a variable other than of $context`);
    }
  }
  for (const [name, value] of Object.entries(parameters)) {
    const known =
      name.startsWith(headerPrefix) && (/^'.*'$/s.test(value) || knownVariables.has(variableIn(value)));
    if (!known)
      throw new Error(`the gateway response ${type} sets ${name} to ${value}, which the local run cannot`);
  }
}

function variableIn(value: string): string {
  return value.replace(/^context\./, "");
}

/** The template for what the client accepts, or the first. */
function templateFor(templates: Readonly<Record<string, string>>, accept: string): [string, string] {
  const entries = Object.entries(templates);
  const accepted = entries.find(([contentType]) => accept.includes(contentType));
  return accepted ?? entries[0] ?? ["application/json", ""];
}

/**
 * Words API Gateway's own refusals as the API's gateway responses say: by the one for their type, else by the
 * default for their class, else in API Gateway's own words.
 *
 * @param responses declared gateway responses by type
 * @throws Error naming what a response asks for that is not known
 */
export function createGatewayResponses(
  responses: ReadonlyMap<string, GatewayResponse>,
): (refusal: GatewayRefusal, context: ContextVariables, accept: string) => ApiAnswer {
  for (const [type, response] of responses) {
    if (!(type in refusals) && !neverRefused.has(type))
      throw new Error(`the local run has no gateway response of type ${type}`);
    check(type, response);
  }
  return ({ type, told }, context, accept) => {
    const { status, exception } = refusals[type];
    const fallBack: RefusalType = status < 500 ? "DEFAULT_4XX" : "DEFAULT_5XX";
    const response = responses.get(type) ?? responses.get(fallBack);
    const variables: ContextVariables = {
      ...context,
      "error.message": told ?? "",
      "error.messageString": JSON.stringify(told),
      "error.responseType": type,
    };
    const declared = response?.templates ?? {};
    const templates = Object.keys(declared).length > 0 ? declared : defaultTemplates;
    const [contentType, template] = templateFor(templates, accept);
    const headers: Record<string, string> = { "Content-Type": contentType, "x-amzn-ErrorType": exception };
    for (const [name, value] of Object.entries(response?.parameters ?? {})) {
      const header = name.slice(headerPrefix.length);
      // A header's case does not matter: the response's own Content-Type is meant to replace the template's.
      const known = Object.keys(headers).find((other) => other.toLowerCase() === header.toLowerCase());
      headers[known ?? header] = value.startsWith("'")
        ? value.slice(1, -1)
        : (variables[variableIn(value)] ?? "");
    }
    const body = template.replace(variablePattern, (_, name: string) => variables[name] ?? "");
    return { status: response?.statusCode ?? status, headers, body: Buffer.from(body) };
  };
}
