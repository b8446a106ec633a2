import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";
import { openApiDocument } from "../api/document/document.ts";
import { cardStates, listedStates, statesThat } from "../core/cards/life/states.ts";
import { listedCounts } from "../core/views/activity-counts.ts";

/** The file with the generated types. */
export const typesFile = fileURLToPath(new URL("../packages/client/api-types.ts", import.meta.url));
/** The file with the generated names of the states and counts. */
export const statesFile = fileURLToPath(new URL("../packages/client/card-states.ts", import.meta.url));

/**
 * Whether a schema is of a request: a card or a part of one. In its type an unknown field is an error, because it is probably
 * misspelt.
 */
const isWritten = (name: string) => /^Scorecard(Course|Hole|Round|Result|Player|Marker)?$/.test(name);

/** TypeScript of all types of the OpenAPI document, each exported under its name there. */
export async function typesOfApi(): Promise<string> {
  const { schemas } = openApiDocument("https://HOST/STAGE").components;
  const names = Object.keys(schemas);
  const components = {
    schemas: Object.fromEntries(
      Object.entries(schemas).map(([name, schema]) => [
        name,
        { title: name, ...readable(schema, isWritten(name)) },
      ]),
    ),
  };
  const all = {
    title: "ApiTypes",
    description: "Every type of the API.",
    type: "object" as const,
    properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/schemas/${name}` }])),
    required: names,
    components,
  };
  return await compile(all, "ApiTypes", {
    additionalProperties: false,
    bannerComment:
      "// Generated from the OpenAPI document by `npm run client:types`. Change that document instead.",
    ignoreMinAndMaxItems: true,
    unknownAny: true,
    style: { printWidth: 110 },
  });
}

/** TypeScript of the states' names, and of the lists of states and counts that a client needs. */
export function statesOfApi(): string {
  const list = (names: readonly string[]) => `[${names.map((name) => `"${name}"`).join(", ")}] as const`;
  return `// Generated from core/cards/life/states.ts and core/views/activity-counts.ts by \`npm run client:types\`. Change those instead.

/** The states of a card by name. */
export const CardState = {
${cardStates.map((state) => `  ${state}: "${state}",`).join("\n")}
} as const;

/** The state of a card. */
export type CardState = (typeof CardState)[keyof typeof CardState];

/** The states of cards that are to be posted. */
export const waitingStates = ${list(statesThat("isOpen", true))};

/** The states of cards that have their outcome. */
export const finalStates = ${list(statesThat("isFinal", true))};

/** The states that cards can be listed by: those that need attention. */
export const listedStates = ${list(listedStates)};

/** What Activity counts of cards that need attention, and that they can be listed by. */
export const listedCounts = [
${listedCounts.map((name) => `  "${name}",`).join("\n")}
] as const;
`;
}

/** A schema in the generator's terms. @param closed whether it allows no unknown fields */
function readable(schema: object, closed: boolean): object {
  const entries = Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
    if (name === "additionalProperties") return [[name, closed ? false : value]];
    if (name === "properties")
      return [[name, mapValues(value as Record<string, object>, (one) => readable(one, closed))]];
    if (name === "items") return [[name, readable(value, closed)]];
    if (Array.isArray(value) && /^(any|all|one)Of$/.test(name)) {
      return [[name, value.map((one) => readable(one, closed))]];
    }
    return [[name, value]];
  });
  // The generator takes a schema without a type for an object.
  const isAnything = entries.every(([name]) => name === "description");
  return { ...Object.fromEntries(entries), ...(isAnything && { tsType: "unknown" }) };
}

const mapValues = <Value, Result>(of: Record<string, Value>, change: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(of).map(([name, value]) => [name, change(value)]));

if (import.meta.main) {
  await writeFile(typesFile, await typesOfApi());
  await writeFile(statesFile, statesOfApi());
}
