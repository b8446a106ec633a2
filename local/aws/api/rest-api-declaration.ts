import type { ApiAnswer } from "./api-answer.ts";
import type { AuthorizerSettings } from "./authorizer.ts";
import type { GatewayResponse } from "./gateway-responses.ts";

/** What a method's requests are handed to. */
export type Integration =
  | { readonly functionArn: string; readonly timeoutMilliseconds: number }
  | { readonly answer: ApiAnswer };

/** A parameter of a request that has to be there and not blank. */
export interface RequiredParameter {
  readonly location: "header" | "querystring";
  readonly name: string;
}

/** A method of the API. */
export interface MethodDeclaration {
  readonly resourceId: string;
  readonly httpMethod: string;
  readonly authorizerId: string | undefined;
  /** Whether its requests are counted under a usage plan. */
  readonly counted: boolean;
  /** Without these a request is refused. */
  readonly required: readonly RequiredParameter[];
  readonly integration: Integration;
}

/** A REST API as the template declares it, in many resources. */
export interface RestApiDeclaration {
  id: string | undefined;
  /** What metrics call it. */
  name: string | undefined;
  /** Answers of this size are compressed for clients that take it; undefined for none. */
  minimumCompressionBytes: number | undefined;
  binaryMediaTypes: readonly string[];
  stage:
    | { name: string; deploymentId: string; variables: Readonly<Record<string, string>> | null }
    | undefined;
  /** Path by resource id; the root's is empty. */
  readonly paths: Map<string, string>;
  readonly methods: MethodDeclaration[];
  /** Ids of the request validators that look at parameters. */
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
