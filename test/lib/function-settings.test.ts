import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { settings } from "../../lib/settings.ts";
import { type StageSettings, stages } from "../../lib/stage-settings.ts";
import { templateOf } from "../synthesized-stack.ts";

interface FunctionProperties {
  readonly Environment: { readonly Variables: Readonly<Record<string, unknown>> };
}

/** Set for every function: for the SDK, and for logs and metrics. */
const isOfRuntime = (variable: string) => /^(AWS|POWERTOOLS)_/.test(variable);

const functions = join(import.meta.dirname, "../../functions");

/** The files of functions/ that a file imports for more than types, and itself. */
function withImports(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file) || !file.startsWith(functions) || !existsSync(file)) return seen;
  seen.add(file);
  const imports = readFileSync(file, "utf8").matchAll(/^import (?!type )[^;]*from "(\.[^"]+\.ts)"/gm);
  for (const [, path = ""] of imports) withImports(join(file, "..", path), seen);
  return seen;
}

/** The variables that a function reads when it starts. */
function readVariables(name: string): { readonly required: string[]; readonly all: string[] } {
  const shapes = [...withImports(join(functions, name, "handler.ts"))].flatMap((file) => {
    const text = readFileSync(file, "utf8");
    // The second form is spread into shapes.
    const found = text.matchAll(/^[^*\n]*(?:readSettings\(|Settings = )\{([\s\S]*?)\n?\s*\}(?:\)|;| )/gm);
    return [...found].map(([, shape = ""]) => shape);
  });
  const variables = [...shapes.join("\n").matchAll(/\b([A-Z][A-Z_]+): (z\.\w+)?/g)];
  const isOptional = (schema: string | undefined) => schema === "z.optional" || schema === "z._default";
  return {
    all: variables.map(([, variable = ""]) => variable),
    required: variables.flatMap(([, variable = "", schema]) => (isOptional(schema) ? [] : [variable])),
  };
}

async function setVariables(given: StageSettings): Promise<[string, string[]][]> {
  const template = await templateOf(given);
  return Object.values(template.findResources("AWS::Lambda::Function")).map((resource) => {
    const { Variables } = (resource as { Properties: FunctionProperties }).Properties.Environment;
    const own = Object.keys(Variables).filter((variable) => !isOfRuntime(variable));
    return [String(Variables.POWERTOOLS_SERVICE_NAME), own];
  });
}

describe.each(stages)("the stack of the stage %s", async (stage) => {
  test.each(await setVariables(settings[stage]))(
    "sets for %s every variable that it needs, and none that it does not read",
    (name, variables) => {
      const { all, required } = readVariables(name);
      expect(variables.filter((variable) => !all.includes(variable))).toEqual([]);
      expect(required.filter((variable) => !variables.includes(variable))).toEqual([]);
    },
  );
});
