import type { ApiResponse } from "./api-response.ts";
import { type GatewayRefusalError, neverRefused, type RefusalType, refusals } from "./gateway-refusal.ts";

/** A gateway response that the template declares for one type of refusal. */
export interface DeclaredGatewayResponse {
  readonly statusCode: number | undefined;
  /** Texts in single quotes by `gatewayresponse.header.<name>`. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Bodies by content type. */
  readonly templates: Readonly<Record<string, string>>;
}

const headerPrefix = "gatewayresponse.header.";
const json = "application/json";

function check(type: string, { parameters, templates }: DeclaredGatewayResponse): void {
  if (!(type in refusals) && !neverRefused.has(type))
    throw new Error(`the local run has no gateway response of type ${type}`);
  for (const [contentType, template] of Object.entries(templates)) {
    if (contentType !== json || template.includes("$"))
      throw new Error(
        `the gateway response ${type} has ${contentType} ${template}; the local run takes only JSON without variables`,
      );
  }
  for (const [name, value] of Object.entries(parameters)) {
    if (!name.startsWith(headerPrefix) || !/^'.*'$/s.test(value))
      throw new Error(
        `the gateway response ${type} sets ${name} to ${value}; the local run takes only headers with a text in quotes`,
      );
  }
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
): (refusal: GatewayRefusalError) => ApiResponse {
  for (const [type, response] of responses) check(type, response);
  return ({ type, clientMessage }) => {
    const { status, exception } = refusals[type];
    const fallBack: RefusalType = status < 500 ? "DEFAULT_4XX" : "DEFAULT_5XX";
    const {
      statusCode = status,
      parameters = {},
      templates = {},
    } = responses.get(type) ?? responses.get(fallBack) ?? {};
    const own = Object.entries(parameters).map(([name, value]) => [
      name.slice(headerPrefix.length),
      value.slice(1, -1),
    ]);
    return {
      status: statusCode,
      headers: { "Content-Type": json, "x-amzn-ErrorType": exception, ...Object.fromEntries(own) },
      body: Buffer.from(templates[json] ?? JSON.stringify({ message: clientMessage })),
    };
  };
}
