import type { ApiResponse } from "./api-response.ts";

/** A MOCK integration as the template declares it. */
export interface MockIntegration {
  readonly requestTemplates: Readonly<Record<string, string>>;
  readonly responses: readonly {
    readonly statusCode: string;
    readonly parameters: Readonly<Record<string, string>>;
    readonly templates: Readonly<Record<string, string>>;
  }[];
}

const headerPrefix = "method.response.header.";

/**
 * The response of a MOCK integration whose templates are fixed text, such as a preflight's.
 *
 * @throws Error if a template or a parameter is not fixed text
 */
export function mockResponse({ requestTemplates, responses }: MockIntegration): ApiResponse {
  const [request = ""] = Object.values(requestTemplates);
  const wanted = /"?statusCode"?\s*:\s*(\d+)/.exec(request)?.[1] ?? "200";
  const response = responses.find(({ statusCode }) => statusCode === wanted);
  if (response === undefined) throw new Error(`a MOCK integration has no response of status ${wanted}`);
  const [[contentType, body] = ["application/json", ""]] = Object.entries(response.templates);
  if (/[$#]/.test(request + body))
    throw new Error("a MOCK integration has a template that is not fixed text");
  const headers: Record<string, string> = { "content-type": contentType };
  for (const [name, value] of Object.entries(response.parameters)) {
    if (!name.startsWith(headerPrefix) || !/^'.*'$/s.test(value)) {
      throw new Error(`a MOCK integration sets ${name} to ${value}, which is not fixed text`);
    }
    headers[name.slice(headerPrefix.length).toLowerCase()] = value.slice(1, -1);
  }
  return { status: Number(wanted), headers, body: Buffer.from(body) };
}
