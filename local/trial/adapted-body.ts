/** Features of an API that an endpoint does not support. */
export interface BodyAdaptation {
  /** Whether methods need no API key, because the endpoint does not read the authorizer's. */
  readonly withoutApiKeys: boolean;
  /** Whether functions return their responses, because the endpoint does not stream them. */
  readonly withoutStreaming: boolean;
}

interface Operation {
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly "x-amazon-apigateway-integration": Readonly<Record<string, unknown>>;
}

interface Body {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly securitySchemes: Readonly<Record<string, { readonly name: string }>> };
}

/** An API's OpenAPI body as an endpoint can take it that knows no usage keys, or does not stream. */
export function adaptedBody(body: Body, { withoutApiKeys, withoutStreaming }: BodyAdaptation): Body {
  const { securitySchemes } = body.components;
  const isKey = (scheme: string) => securitySchemes[scheme]?.name === "x-api-key";
  const adapt = (operation: Operation): Operation => ({
    ...operation,
    ...(withoutApiKeys &&
      operation.security && {
        security: operation.security.filter((schemes) => !Object.keys(schemes).some(isKey)),
      }),
    ...(withoutStreaming && {
      "x-amazon-apigateway-integration": buffered(operation["x-amazon-apigateway-integration"]),
    }),
  });
  const paths = Object.entries(body.paths).map(([path, operations]) => [
    path,
    Object.fromEntries(Object.entries(operations).map(([method, operation]) => [method, adapt(operation)])),
  ]);
  return { ...body, paths: Object.fromEntries(paths) };
}

/** Has an integration invoke its function without streaming. */
function buffered({ responseTransferMode, uri, ...others }: Operation["x-amazon-apigateway-integration"]) {
  const address = JSON.stringify(uri)
    .replace("path/2021-11-15/", "path/2015-03-31/")
    .replace("/response-streaming-invocations", "/invocations");
  return { ...others, uri: JSON.parse(address) };
}
