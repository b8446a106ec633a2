import type { ApiResponse } from "./api-response.ts";
import type { AuthorizerSettings } from "./authorizer.ts";
import type { GatewayResponse } from "./gateway-responses.ts";

/** The function that handles a method's requests, or the fixed response of a MOCK integration. */
type Integration =
  | { readonly functionArn: string; readonly timeoutMilliseconds: number; readonly streams: boolean }
  | { readonly response: ApiResponse };

/** A parameter that a request must have, and that must not be blank. */
export interface RequiredParameter {
  readonly location: "header" | "querystring";
  readonly name: string;
}

/** A method of the API. */
export interface MethodDeclaration {
  readonly resourceId: string;
  readonly httpMethod: string;
  readonly authorizerId: string | undefined;
  /** Whether its requests count towards a usage plan. */
  readonly counted: boolean;
  readonly required: readonly RequiredParameter[];
  readonly integration: Integration;
}

/** A REST API, collected from the template's many resources. */
export interface RestApiDeclaration {
  id: string | undefined;
  /** Its name in metrics. */
  name: string | undefined;
  /** Responses from this size on are compressed for clients that accept it; undefined for none. */
  minimumCompressionBytes: number | undefined;
  binaryMediaTypes: readonly string[];
  stage:
    | { name: string; deploymentId: string; variables: Readonly<Record<string, string>> | null }
    | undefined;
  /** Path by resource id; the root's is empty. */
  readonly paths: Map<string, string>;
  readonly methods: MethodDeclaration[];
  /** Ids of the request validators that check parameters. */
  readonly parameterValidators: Set<string>;
  readonly authorizers: Map<string, AuthorizerSettings & { readonly functionArn: string }>;
  readonly gatewayResponses: Map<string, GatewayResponse>;
}

/** An empty declaration, to be filled resource by resource. */
export function emptyRestApi(): RestApiDeclaration {
  return {
    id: undefined,
    name: undefined,
    minimumCompressionBytes: undefined,
    binaryMediaTypes: [],
    stage: undefined,
    paths: new Map(),
    methods: [],
    parameterValidators: new Set(),
    authorizers: new Map(),
    gatewayResponses: new Map(),
  };
}
