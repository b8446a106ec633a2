/** One method of one path in the body of a template's API. */
export interface ApiOperation {
  readonly method: string;
  readonly path: string;
  /** Whether a request needs an account, by the authorizer. */
  readonly authorized: boolean;
  /** Whether a request counts under the usage plan of a key. */
  readonly counted: boolean;
  readonly integration: Readonly<Record<string, unknown>>;
}

interface RestApi {
  readonly Type: string;
  readonly Properties: {
    readonly Body: {
      readonly paths: Readonly<Record<string, Readonly<Record<string, BodyOperation>>>>;
      readonly components: { readonly securitySchemes: Readonly<Record<string, SecurityScheme>> };
    };
  };
}

interface BodyOperation {
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly "x-amazon-apigateway-integration": Readonly<Record<string, unknown>>;
}

interface SecurityScheme {
  readonly name: string;
  readonly "x-amazon-apigateway-authorizer"?: unknown;
}

/** The operations of the API in a template, as API Gateway imports them from its body. */
export function apiOperations(template: {
  readonly Resources: Readonly<Record<string, unknown>>;
}): ApiOperation[] {
  const resources = Object.values(template.Resources) as readonly RestApi[];
  const apis = resources.filter(({ Type }) => Type === "AWS::ApiGateway::RestApi");
  return apis.flatMap(({ Properties: { Body } }) =>
    Object.entries(Body.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => {
        const names = (operation.security ?? []).flatMap((requirement) => Object.keys(requirement));
        const schemes = names.map((name) => {
          const scheme = Body.components.securitySchemes[name];
          if (scheme === undefined) throw new Error(`${method} ${path} names the unknown scheme ${name}.`);
          return scheme;
        });
        return {
          method: method.toUpperCase(),
          path,
          authorized: schemes.some((scheme) => "x-amazon-apigateway-authorizer" in scheme),
          counted: schemes.some(({ name }) => name === "x-api-key"),
          integration: operation["x-amazon-apigateway-integration"],
        };
      }),
    ),
  );
}
