import { openApiDocument } from "../api/document/document.ts";
import type { JsonSchema } from "../api/schema.ts";
import { listedStates, statesThat } from "../core/cards/life/states.ts";
import { listedCounts } from "../core/views/activity-counts.ts";

/** A schema as far as Python's types can say it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly description?: string;
}

const banner = `"""Every type of the API.

Generated from the OpenAPI document by \`npm run client:types\`. Change that document instead.
"""
# A line of a description is as long as it is there.
# ruff: noqa: E501

from __future__ import annotations

from typing import Any, Literal, TypedDict
`;

/** Python of all types of the OpenAPI document, each under its name there: objects as TypedDict, others as aliases. */
export function pythonTypesOfApi(): string {
  const schemas = Object.entries(
    openApiDocument("https://HOST/STAGE").components.schemas as Readonly<Record<string, JsonSchema>>,
  ) as [string, Schema][];
  const objects = schemas.filter(([, { properties }]) => properties !== undefined);
  // An alias is evaluated when the module is loaded, so it comes after the classes that it names.
  const aliases = schemas.filter(([, { properties }]) => properties === undefined);
  return [
    banner,
    ...objects.map(([name, schema]) => classOf(name, schema)),
    aliases.map(([name, schema]) => aliasOf(name, schema)).join("\n"),
    listsOfNames(),
  ].join("\n\n");
}

/** The states and counts that are lists in the API's description only. */
function listsOfNames(): string {
  const names = (some: readonly string[]) => some.map((name) => `"${name}"`).join(", ");
  return `ListedState = Literal[${names(listedStates)}]
"""A state that cards can be listed by: one that needs attention."""

ListedCount = Literal[
${listedCounts.map((name) => `    "${name}",`).join("\n")}
]
"""What Activity counts of cards that need attention, and that they can be listed by."""

FINAL_STATES = frozenset({${names(statesThat("isFinal", true))}})
"""The states of cards that have their outcome."""
`;
}

function aliasOf(name: string, schema: Schema): string {
  const { description } = schema;
  return `${name} = ${typeOf(schema)}\n${description === undefined ? "" : docstring(description, "")}`;
}

/** Python 3.10 has no `NotRequired`, so fields that may be left out are added in a class of their own. */
function classOf(name: string, { properties = {}, required = [], description }: Schema): string {
  const entries = Object.entries(properties);
  const needed = entries.filter(([field]) => required.includes(field));
  const optional = entries.filter(([field]) => !required.includes(field));
  const text = description === undefined ? "" : docstring(description);
  if (needed.length === 0 || optional.length === 0) {
    return typedDict(name, { fields: entries, isTotal: optional.length === 0, text });
  }
  const base = `_${name}Required`;
  return [
    typedDict(base, { fields: needed, isTotal: true, text: "" }),
    typedDict(name, { fields: optional, isTotal: false, text, base }),
  ].join("\n\n");
}

interface TypedDict {
  readonly fields: readonly (readonly [string, Schema])[];
  /** Whether no field may be left out. */
  readonly isTotal: boolean;
  readonly text: string;
  readonly base?: string;
}

/** @throws Error if a class with a base has a field whose name Python reserves, which Python cannot say */
function typedDict(name: string, { fields, isTotal, text, base }: TypedDict): string {
  const total = isTotal ? "" : "total=False";
  if (fields.some(([field]) => keywords.has(field))) {
    if (base !== undefined)
      throw new Error(`${name} has a field that Python reserves. Make all fields required.`);
    const entries = fields.map(([field, schema]) => `        "${field}": '${typeOf(schema)}',\n`);
    const end = isTotal ? "" : `    ${total},\n`;
    return `${name} = TypedDict(\n    "${name}",\n    {\n${entries.join("")}    },\n${end})\n`;
  }
  const members = fields.map(
    ([field, schema]) =>
      `    ${field}: ${typeOf(schema)}\n${schema.description === undefined ? "" : docstring(schema.description)}`,
  );
  const bases = [base ?? "TypedDict", total].filter((one) => one !== "").join(", ");
  return `class ${name}(${bases}):\n${text === "" ? "" : `${text}\n`}${members.join("")}`;
}

/** Names of fields that Python reserves. */
const keywords = new Set(["from", "class", "global", "in", "is", "import", "pass", "return", "None", "not"]);

const docstring = (text: string, indent = "    ") =>
  `${indent}"""${text.replaceAll("\\", "\\\\").replaceAll('"', "'")}"""\n`;

function typeOf(schema: Schema): string {
  const { $ref, type, const: value, enum: values, oneOf, anyOf, items, additionalProperties } = schema;
  if ($ref !== undefined) return $ref.slice($ref.lastIndexOf("/") + 1);
  if (value !== undefined) return `Literal[${literal(value)}]`;
  if (values !== undefined) {
    const listed = values.filter((one) => one !== null);
    const named = `Literal[${listed.map(literal).join(", ")}]`;
    return values.includes(null) ? union([named, "None"]) : named;
  }
  const alternatives = oneOf ?? anyOf;
  if (alternatives !== undefined) return union(alternatives.map(typeOf));
  if (type === undefined) return "Any";
  if (typeof type !== "string") return union(type.map((one) => typeOf({ ...schema, type: one })));
  if (type === "array") return `list[${items === undefined ? "Any" : typeOf(items)}]`;
  if (type === "object") {
    const isSchema = typeof additionalProperties === "object" && Object.keys(additionalProperties).length > 0;
    return `dict[str, ${isSchema ? typeOf(additionalProperties) : "Any"}]`;
  }
  return { string: "str", integer: "int", number: "float", boolean: "bool", null: "None" }[type] ?? "Any";
}

const union = (types: readonly string[]) => [...new Set(types)].join(" | ");

function literal(value: unknown): string {
  if (typeof value === "boolean") return value ? "True" : "False";
  return JSON.stringify(value);
}
