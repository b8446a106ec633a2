import { type Html, html } from "../../http/page/html.ts";
import { inline } from "./prose.ts";

/** The part of JSON Schema that the OpenAPI document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly "x-extensible-enum"?: readonly unknown[];
  readonly const?: unknown;
  readonly not?: { readonly enum?: readonly unknown[] };
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly examples?: readonly unknown[];
}

/** The fragment of a schema's section in the page. */
export const schemaId = (name: string) => `schema-${name}`;

const codes = (values: readonly unknown[]): Html[] =>
  values.map((value, place) => html`${place > 0 ? ", " : ""}<code>${JSON.stringify(value)}</code>`);

const joined = (parts: readonly Html[], separator: string): Html[] =>
  parts.map((part, place) => html`${place > 0 ? separator : ""}${part}`);

const hasSchema = (value: boolean | Schema | undefined): value is Schema =>
  typeof value === "object" && Object.keys(value).length > 0;

/** The type of a value in a few words; a schema with a name is a link to its section. */
function typeOf(schema: Schema): Html {
  const { $ref, type, anyOf, oneOf, items, additionalProperties, ...rest } = schema;
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf("/") + 1);
    return html`<a href="#${schemaId(name)}">${name}</a>`;
  }
  const either = anyOf ?? oneOf;
  if (either !== undefined) return html`${joined(either.map(typeOf), " or ")}`;
  if (rest.const !== undefined) return html`${codes([rest.const])}`;
  if (rest.enum !== undefined) return html`one of ${codes(rest.enum)}`;
  if (type === undefined) return html`any value`;
  const types = typeof type === "string" ? [type] : type;
  const named = types.map((name) => {
    if (name === "array") return html`array of ${typeOf(items ?? {})}`;
    if (name === "object" && rest.properties === undefined && hasSchema(additionalProperties))
      return html`object of ${typeOf(additionalProperties)}`;
    return html`${name}`;
  });
  return html`${joined(named, " or ")}`;
}

const from = (least: number | undefined, most: number | undefined, unit: string): Html | undefined => {
  if (least !== undefined && most !== undefined) return html`${least} to ${most}${unit}`;
  if (most !== undefined) return html`at most ${most}${unit}`;
  return least === undefined ? undefined : html`at least ${least}${unit}`;
};

function describeBounds(schema: Schema): Html[] {
  const { format, pattern, not, examples } = schema;
  const known = schema["x-extensible-enum"];
  return [
    format === undefined ? undefined : html`${format}`,
    from(schema.minimum, schema.maximum, ""),
    from(schema.minLength, schema.maxLength, " characters"),
    from(schema.minItems, schema.maxItems, " entries"),
    from(undefined, schema.maxProperties, " fields"),
    pattern === undefined ? undefined : html`pattern <code>${pattern}</code>`,
    not?.enum === undefined ? undefined : html`not ${codes(not.enum)}`,
    known === undefined ? undefined : html`today ${codes(known)}; others may be added`,
    examples === undefined ? undefined : html`e.g. ${codes(examples)}`,
  ].filter((part) => part !== undefined);
}

/** A value's type, its bounds and its description. */
export function described(schema: Schema): Html {
  const { description } = schema;
  const bounds = describeBounds(schema);
  return html`<span class="type">${typeOf(schema)}</span>${
    bounds.length === 0 ? undefined : html` <span class="quiet">(${joined(bounds, "; ")})</span>`
  }${description === undefined ? undefined : html`<br>${inline(description)}`}${nested(schema)}`;
}

/** The fields of an object that has no section of its own, or of an array of such objects. */
function nested({ properties, items, additionalProperties, required }: Schema): Html | undefined {
  if (properties !== undefined) return fieldsOf({ properties, required: required ?? [] });
  if (items?.properties !== undefined || items?.items !== undefined) return nested(items);
  return hasSchema(additionalProperties) ? nested(additionalProperties) : undefined;
}

/** A list of an object's fields. */
export function fieldsOf(schema: Schema): Html | undefined {
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries(properties);
  if (fields.length === 0) return undefined;
  return html`<ul class="fields">${fields.map(([name, field]) => fieldOf(name, required.includes(name), described(field)))}</ul>`;
}

/** A named value in a list: a field, a parameter or a header. */
export function fieldOf(name: string, isRequired: boolean, value: Html): Html {
  return html`<li><code class="name">${name}</code> ${
    isRequired ? html`<span class="required">required</span> ` : undefined
  }${value}</li>
`;
}
