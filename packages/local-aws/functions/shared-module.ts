import { isBuiltin } from "node:module";
import { compileFunction } from "node:vm";
import { parse } from "es-module-lexer/js";

/** Evaluates a module once more, with other values of some global names. @returns its exports */
export type EvaluateModule = (globals: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>;

/** The names that a compiled module uses for `import(…)` and `import.meta`, of the same length, so that positions in stacks stay. */
export const importName = "$mport";
export const metaName = "$mport_meta";
/** The function that returns the namespace of a built-in module. */
export const builtinName = "$builtin";

/** The module cannot be compiled as a function: it imports others that would be evaluated only once. */
export class UnsharedModuleError extends Error {
  override readonly name = "UnsharedModuleError";
}

/**
 * Compiles an ES module as a function, so that a thread can evaluate it several times and compiles it once: Node compiles a module
 * again for each evaluation, and keeps each for ever.
 *
 * @param globals names that are to be given at each evaluation
 * @param url of the module, in stacks
 * @throws UnsharedModuleError if it imports anything but built-in modules; SyntaxError
 */
export function compileModule(source: string, url: string, globals: readonly string[]): EvaluateModule {
  const [imports, exports] = parse(source);
  const bindings: string[] = [];
  const replacements: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  for (const { n: name, d: dynamic, s, ss, se } of imports) {
    if (dynamic >= 0) {
      replacements.push({ start: ss, end: ss + importName.length, text: importName });
    } else if (dynamic === -2) replacements.push({ start: ss, end: se, text: metaName });
    else if (name !== undefined && isBuiltin(name)) {
      bindings.push(toBinding(source.slice(ss + "import".length, s - 1), name));
      replacements.push({ start: ss, end: se, text: "" });
    } else throw new UnsharedModuleError(`The module imports ${name}.`);
  }
  const returned: string[] = [];
  for (const { n: name, ln: local, ss, s } of exports) {
    if (local === undefined)
      throw new UnsharedModuleError(`The module exports ${name} without a local name.`);
    const isList = /^export\s*\{/.test(source.slice(ss, s));
    const declaration = name === "default" ? s + "default".length : ss + "export".length;
    replacements.push({ start: ss, end: isList ? source.indexOf("}", s) + 1 : declaration, text: "" });
    returned.push(`${JSON.stringify(name)}: ${local}`);
  }
  const code = replaceInPlace(source, replacements);
  const body = `"use strict";${bindings.join("")}return (async () => {\n${code}\nreturn {${returned.join()}};})();`;
  const names = [builtinName, importName, metaName, ...globals];
  const compiled = compileFunction(body, names, { filename: url, lineOffset: -1 });
  return (given) => compiled(...names.map((name) => given[name]));
}

/** Replaces ranges by texts, filled up with spaces, so that what follows keeps its position. */
function replaceInPlace(
  source: string,
  replacements: { readonly start: number; readonly end: number; readonly text: string }[],
): string {
  let code = "";
  let done = 0;
  for (const { start, end, text } of replacements.toSorted((one, other) => one.start - other.start)) {
    // All names of an export list have the same range.
    if (start < done) continue;
    const blank = source.slice(start + text.length, end).replaceAll(/[^\n]/g, " ");
    code += source.slice(done, start) + text + blank;
    done = end;
  }
  return code + source.slice(done);
}

/** The declaration of what a static import brings. @param clause what stands between `import` and the name of the module */
function toBinding(clause: string, name: string): string {
  const module = `${builtinName}(${JSON.stringify(name)})`;
  const [, first = "", list = "", namespace = ""] =
    /^\s*([\w$]*)\s*,?\s*(\{[^}]*\})?(?:\*\s*as\s+([\w$]+))?/.exec(clause) ?? [];
  return [
    first !== "" && first !== "from" && `const ${first} = ${module}.default;`,
    list !== "" && `const ${list.replaceAll(/([\w$]+)\s+as\s+([\w$]+)/g, "$1: $2")} = ${module};`,
    namespace !== "" && `const ${namespace} = ${module};`,
    `${module};`,
  ]
    .filter(Boolean)
    .join("");
}
