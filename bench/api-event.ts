import type { APIGatewayProxyEvent } from "aws-lambda";
import { resources } from "../core/accounts/account.ts";

/** A request as a vendor makes it. */
interface ApiEventRequest {
  readonly method: "GET" | "POST" | "DELETE" | "OPTIONS";
  /** The route that matches, e.g. `/{apiset}/Clubs/{clubId}`. */
  readonly resource: string;
  readonly apiSet?: string;
  /** Path parameters beside the API set. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string[]>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What of API Gateway's event, payload version 1, the functions look at. */
export function apiEvent(request: ApiEventRequest): Partial<APIGatewayProxyEvent> {
  const { method, resource, apiSet, path, query, headers = {}, body } = request;
  const parameters: Record<string, string> = { ...(apiSet !== undefined && { apiset: apiSet }), ...path };
  const requested = resource.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? "");
  return {
    httpMethod: method,
    resource,
    path: requested,
    pathParameters: Object.keys(parameters).length > 0 ? parameters : null,
    multiValueQueryStringParameters: query ?? null,
    headers,
    body: body ?? null,
    isBase64Encoded: false,
    requestContext: {
      requestId: "00000000-0000-4000-8000-000000000000",
      path: `/test${requested}`,
      stage: "test",
      domainName: "localhost",
      ...(apiSet !== undefined && {
        authorizer: { apiSet, resources: resources.join(",") },
      }),
    } as unknown as APIGatewayProxyEvent["requestContext"],
  };
}
