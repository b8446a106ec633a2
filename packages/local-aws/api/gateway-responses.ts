import type { ApiResponse } from "./api-response.ts";
import { type GatewayRefusalError, neverRefused, type RefusalType, refusals } from "./gateway-refusal.ts";

/** A gateway response that the template declares for one type of refusal. */
export interface DeclaredGatewayResponse {
  readonly statusCode: number | undefined;
  /** Values by `gatewayresponse.header.<name>`: text in single quotes, or a variable of the context. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Bodies by content type. */
  readonly templates: Readonly<Record<string, string>>;
}

/** The `$context` variables of a request that templates may use, by name without `$context.`. */
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

function check(type: string, { parameters, templates }: DeclaredGatewayResponse): void {
  for (const template of Object.values(templates)) {
    for (const [variable, name] of template.matchAll(variablePattern)) {
      if (!knownVariables.has(name as string)) {
        throw new Error(
          `the gateway response ${type} uses ${variable}, which the local run does not support`,
        );
      }
    }
    if (/\$(?!context\.)/.test(template)) {
      throw new Error(`the gateway response ${type} uses a variable that is not in $context`);
    }
  }
  for (const [name, value] of Object.entries(parameters)) {
    const known =
      name.startsWith(headerPrefix) && (/^'.*'$/s.test(value) || knownVariables.has(variableIn(value)));
    if (!known)
      throw new Error(
        `the gateway response ${type} sets ${name} to ${value}, which the local run does not support`,
      );
  }
}

function variableIn(value: string): string {
  return value.replace(/^context\./, "");
}

/** The first template that the client accepts, or else the first of all. */
function templateFor(templates: Readonly<Record<string, string>>, accept: string): [string, string] {
  const entries = Object.entries(templates);
  const accepted = entries.find(([contentType]) => accept.includes(contentType));
  return accepted ?? entries[0] ?? ["application/json", ""];
}

/**
 * Turns a refusal into a response: by the API's gateway response for its type, else by the default of its class (4xx or
 * 5xx), else by API Gateway's own default.
 *
 * @param responses declared gateway responses by type
 * @throws Error naming a type, variable or parameter that the local run does not support
 */
export function createGatewayResponses(
  responses: ReadonlyMap<string, DeclaredGatewayResponse>,
): (refusal: GatewayRefusalError, context: ContextVariables, accept: string) => ApiResponse {
  for (const [type, response] of responses) {
    if (!(type in refusals) && !neverRefused.has(type))
      throw new Error(`the local run has no gateway response of type ${type}`);
    check(type, response);
  }
  return ({ type, clientMessage }, context, accept) => {
    const { status, exception } = refusals[type];
    const fallBack: RefusalType = status < 500 ? "DEFAULT_4XX" : "DEFAULT_5XX";
    const response = responses.get(type) ?? responses.get(fallBack);
    const variables: ContextVariables = {
      ...context,
      "error.message": clientMessage ?? "",
      "error.messageString": JSON.stringify(clientMessage),
      "error.responseType": type,
    };
    const declared = response?.templates ?? {};
    const templates = Object.keys(declared).length > 0 ? declared : defaultTemplates;
    const [contentType, template] = templateFor(templates, accept);
    const headers: Record<string, string> = { "Content-Type": contentType, "x-amzn-ErrorType": exception };
    for (const [name, value] of Object.entries(response?.parameters ?? {})) {
      const header = name.slice(headerPrefix.length);
      // Header names ignore case: the response's own content-type replaces the template's.
      const known = Object.keys(headers).find((other) => other.toLowerCase() === header.toLowerCase());
      headers[known ?? header] = value.startsWith("'")
        ? value.slice(1, -1)
        : (variables[variableIn(value)] ?? "");
    }
    const body = template.replace(variablePattern, (_, name: string) => variables[name] ?? "");
    return { status: response?.statusCode ?? status, headers, body: Buffer.from(body) };
  };
}
