import type { Resource } from "../core/accounts/account.ts";
import type { Links } from "./links.ts";
import { problemSchema } from "./problems.ts";
import { type OperationId, type Route, routes } from "./routes.ts";
import { type JsonSchema, refer, type Shape } from "./schema.ts";

/** A body of one content type. */
export interface Content<Schema = JsonSchema> {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}

/** A query, path or header parameter. */
export interface Parameter<Schema = JsonSchema> {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description: string;
  readonly schema: Schema;
  readonly example?: unknown;
  readonly style?: "form";
  readonly explode?: boolean;
}

/** A response of one status. */
export interface Response<Schema = JsonSchema> {
  readonly description: string;
  readonly headers?: Readonly<
    Record<string, { description: string; required?: boolean; schema: Schema; example?: unknown }>
  >;
  /** By content type; absent if there is no body. */
  readonly content?: Readonly<Record<string, Content<Schema>>>;
  readonly links?: Links;
}

/** What an operation takes and answers, in words and schemas. */
interface OperationDescription {
  readonly summary: string;
  readonly description: string;
  /** Besides those in the path. */
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<Record<string, Content>>;
  };
  readonly responses: Readonly<Record<number, Response>>;
}

/** One method of one path. */
export interface Operation extends OperationDescription {
  readonly method: "get" | "post" | "put" | "delete";
  /** Begins with `{apiset}`, unless the operation is open to everyone or shows all vendors. */
  readonly path: string;
  /** Names the operation in generated clients. */
  readonly operationId: OperationId;
  /** The resource that an account must be granted; absent if no account is needed. */
  readonly resource?: Resource;
  /** Whether the header Token must carry a player's access token. */
  readonly playerToken?: true;
  /** Whether each fixed segment of the path also works in lower case. */
  readonly everySpelling?: true;
}

/** How an operation is requested, from the one table of routes. */
export function requestOf(operationId: OperationId): Omit<Operation, keyof OperationDescription> {
  const { method, path, documentedAs, resource, playerToken, everySpelling }: Route = routes[operationId];
  return {
    method: method.toLowerCase() as Operation["method"],
    path: documentedAs ?? path,
    operationId,
    ...(resource !== undefined && { resource }),
    ...(playerToken && { playerToken }),
    ...(everySpelling && { everySpelling }),
  };
}

/** An operation with its request. */
export const defineOperation = (operationId: OperationId, description: OperationDescription): Operation => ({
  ...requestOf(operationId),
  ...description,
});

/** A query parameter. */
export function query(name: string, description: string, schema: JsonSchema, example?: unknown): Parameter {
  return { name, in: "query", description, schema, ...(example !== undefined && { example }) };
}

/** The schema of a day in a query. */
export const dateOfQuery: JsonSchema = { type: "string", format: "date" };

/** A request header. */
export const header = (
  name: string,
  description: string,
  { required, ...given }: Pick<Partial<Parameter>, "required" | "schema" | "example"> = {},
): Parameter => ({
  name,
  in: "header",
  ...(required && { required }),
  description,
  schema: { type: "string" },
  ...given,
});

/** A successful response with a JSON document. */
export function jsonResponse(
  description: string,
  schema: JsonSchema,
  { examples, example, ...others }: Pick<Response, "headers" | "links"> & Omit<Content, "schema"> = {},
): Response {
  return {
    description,
    ...others,
    content: {
      "application/json": {
        schema,
        ...(examples !== undefined && { examples }),
        ...(example !== undefined && { example }),
      },
    },
  };
}

/** A response with a problem. */
export function problemResponse(
  description: string,
  { headers, example }: Pick<Response, "headers"> & { readonly example?: Shape<typeof problemSchema> } = {},
): Response {
  return {
    description,
    ...(headers !== undefined && { headers }),
    content: {
      "application/problem+json": {
        schema: refer(problemSchema),
        ...(example !== undefined && { example }),
      },
    },
  };
}

const retryAfter: Response["headers"] = {
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" }, example: 5 },
};

/** Responses to any request for a vendor, from API Gateway or from the function behind it. */
export const refusals: Readonly<Record<number, Response>> = {
  400: problemResponse("The request cannot be read; `detail` says why."),
  401: problemResponse("No credentials, or wrong ones, or those of an account that is disabled.", {
    headers: {
      "WWW-Authenticate": {
        description: "The scheme.",
        required: true,
        schema: { type: "string" },
        example: 'Basic realm="scorecards", charset="UTF-8"',
      },
    },
    example: {
      type: "about:blank",
      title: "Unauthorized",
      status: 401,
      detail: "Send the user name and password of a vendor account by HTTP Basic authentication.",
    },
  }),
  403: problemResponse("Another vendor's API set, or a resource that the account has not been granted."),
  413: problemResponse("The request exceeds a limit; `detail` names it."),
  415: problemResponse(
    "A charset other than UTF-8, a content coding other than gzip, or an incomplete gzipped body.",
  ),
  429: problemResponse("Too many requests a second, or the account's quota is used up.", {
    headers: retryAfter,
    example: {
      type: "about:blank",
      title: "Too many requests",
      status: 429,
      detail: "Send fewer requests a second; one submission may carry 1000 scorecards.",
    },
  }),
  500: problemResponse("Something failed here; nothing was wrong with the request."),
  503: problemResponse("Not now. Send the same request again; nothing is taken twice.", {
    headers: retryAfter,
    example: {
      type: "urn:scorecards:problem:try-again",
      title: "Not now",
      status: 503,
      detail:
        "The cards could not be stored. Send the same request again; what was already taken is not taken twice.",
    },
  }),
  504: problemResponse("No response in time. Send the same request again; nothing is taken twice.", {
    headers: retryAfter,
  }),
};
