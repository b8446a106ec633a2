import { writeFile } from "node:fs/promises";
import { registerHooks } from "node:module";
import type { SchemaObject } from "openapi-typescript";

// openapi-typescript needs the compiler's API, which TypeScript 7 does not have.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === "typescript" ? "@typescript/typescript6" : specifier, context),
});
const ts = await import("openapi-typescript");

/** The type of a text of which some values are known: an editor offers them, and others are taken. */
function typeOfKnownTexts(schema: SchemaObject & { readonly "x-extensible-enum"?: readonly unknown[] }) {
  const known = schema["x-extensible-enum"];
  if (known === undefined || schema.type !== "string") return undefined;
  return ts.tsUnion([
    ...known.map(ts.tsLiteral),
    ts.tsIntersection([ts.STRING, ts.tsRecord(ts.NEVER, ts.NEVER)]),
  ]);
}

const types = await ts.default(new URL("../api/openapi.json", import.meta.url), {
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  transform: typeOfKnownTexts,
});
await writeFile(
  new URL("../packages/client/api-types.ts", import.meta.url),
  `// Made of api/openapi.json.\n${ts.astToString(types)}`,
);
