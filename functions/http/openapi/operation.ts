import type { Resource } from "../../../core/accounts/account.ts";
import type { JsonSchema } from "./schema-reference.ts";

/** An example of a request or an answer. */
export interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** A body of one content type. */
export interface Content {
  readonly schema: JsonSchema;
  readonly examples?: Readonly<Record<string, Example>>;
}

/** A query, path or header parameter. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly style?: "form";
  readonly explode?: boolean;
}

/** An answer of one status. */
export interface Response {
  readonly description: string;
  readonly headers?: Readonly<
    Record<string, { description: string; required?: boolean; schema: JsonSchema; example?: unknown }>
  >;
  /** By content type; absent where there is no body. */
  readonly content?: Readonly<Record<string, Content>>;
}

/** One method of one path. */
export interface Operation {
  readonly method: "get" | "post" | "delete";
  /** With `{apiset}` first, but for what is open to everyone. */
  readonly path: string;
  /** Names the operation in generated clients. */
  readonly operationId: string;
  /** What an account must be granted; absent where no account is needed. */
  readonly resource?: Resource;
  /** Whether the header Token must carry a player's access token. */
  readonly playerToken?: true;
  readonly summary: string;
  readonly description?: string;
  /** Beside those in the path. */
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required: true;
    readonly content: Readonly<Record<string, Content>>;
  };
  readonly responses: Readonly<Record<number, Response>>;
}
