import type { AuthorizerSettings } from "./authorizer.ts";
import type { DeclaredGatewayResponse } from "./gateway-responses.ts";

/** A method of the API. */
export interface MethodDeclaration {
  /** Such as /{apiset}/Clubs/{clubId} */
  readonly path: string;
  readonly httpMethod: string;
  /** Name of its authorizer's security scheme. */
  readonly authorizer: string | undefined;
  /** Whether its requests count towards a usage plan. */
  readonly counted: boolean;
  /** Headers that a request must have, and that must not be blank. */
  readonly required: readonly string[];
  /** The function that handles its requests. */
  readonly integration: {
    readonly functionArn: string;
    readonly timeoutMilliseconds: number;
    readonly streams: boolean;
  };
}

/** The methods, authorizers and gateway responses that an API's OpenAPI body declares. */
export interface ApiParts {
  readonly methods: readonly MethodDeclaration[];
  /** By the name of their security scheme. */
  readonly authorizers: ReadonlyMap<string, AuthorizerSettings & { readonly functionArn: string }>;
  /** By type. */
  readonly gatewayResponses: ReadonlyMap<string, DeclaredGatewayResponse>;
}

/** A REST API, collected from the template's resources: the API itself, and its stage. */
export interface RestApiDeclaration {
  id: string | undefined;
  /** Its name in metrics. */
  name: string | undefined;
  /** Responses from this size on are compressed for clients that accept it; undefined for none. */
  minimumCompressionBytes: number | undefined;
  stage: { name: string; deploymentId: string } | undefined;
  parts: ApiParts;
}

/** An empty declaration, to be filled resource by resource. */
export function emptyRestApi(): RestApiDeclaration {
  return {
    id: undefined,
    name: undefined,
    minimumCompressionBytes: undefined,
    stage: undefined,
    parts: { methods: [], authorizers: new Map(), gatewayResponses: new Map() },
  };
}
