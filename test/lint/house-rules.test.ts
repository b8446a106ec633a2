import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import ts from "@typescript/typescript6";
import { expect, test } from "vitest";
import { documents } from "../documentation/documents.ts";

/** The rules of CONTRIBUTING.md that no linter knows. */

const sources = globSync(
  "{api,bench,bin,command,core,functions,lib,local,packages,portal,unions}/**/*.{ts,tsx,css,py}",
  { exclude: (name) => /(^|\/)(node_modules|dist|generated|__pycache__)$/.test(name) },
)
  .filter((file) => !/(api-types|card-states|\.d)\.ts$|api_types\.py$/.test(file))
  .map((file) => ({ file, text: readFileSync(file, "utf8") }));
const modules = sources.filter(({ file }) => /\.tsx?$/.test(file));

const maxFileLines = 350;
const maxFunctionLines = 60;

/** The folders that a card goes through, from its submission to its delivery. */
const cardsWay = /^(core\/(cards|golf)|functions\/(http|submit-scorecards|deliver-scorecards))\//;

/** The functions of a module that have more lines than allowed, as `name lines`. */
function findLongFunctions(file: string, text: string): string[] {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineAt = (position: number) => tree.getLineAndCharacterOfPosition(position).line;
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
      const lines = lineAt(node.end) - lineAt(node.getStart()) + 1;
      const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
      if (lines > maxFunctionLines) found.push(`${named?.getText() ?? "a function"} ${lines}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

/** The exported types of modules that have one name in several files. */
function findTwins(given: readonly { readonly file: string; readonly text: string }[]): string[] {
  const files = new Map<string, Set<string>>();
  for (const { file, text } of given) {
    for (const [, name = ""] of text.matchAll(/^export (?:interface|type) (\w+)\b/gm)) {
      files.set(name, (files.get(name) ?? new Set()).add(file));
    }
  }
  return [...files].filter(([, those]) => those.size > 1).map(([name, those]) => [name, ...those].join(" "));
}

test(`no file has more than ${maxFileLines} lines`, () => {
  const long = sources.filter(({ text }) => text.split("\n").length - 1 > maxFileLines);
  expect(long.map(({ file }) => file)).toEqual([]);
});

test(`no function on a card's way has more than ${maxFunctionLines} lines`, () => {
  const way = modules.filter(({ file }) => cardsWay.test(file));
  expect(way.length).toBeGreaterThan(50);
  expect(
    way.flatMap(({ file, text }) => findLongFunctions(file, text).map((one) => `${file} ${one}`)),
  ).toEqual([]);
});

test("a function of 61 lines is found, with its name", () => {
  const body = "  work();\n".repeat(maxFunctionLines - 1);
  expect(findLongFunctions("long.ts", `const deliver = () => {\n${body}};\n`)).toEqual(["deliver 61"]);
  expect(findLongFunctions("short.ts", `const deliver = () => {\n${body.slice(10)}};\n`)).toEqual([]);
});

test("no two files export a type of one name", () => {
  expect(findTwins(modules)).toEqual([]);
});

test("no file or folder has a name that says nothing, such as utils", () => {
  const empty = /(^|[/-])(utils?|helpers?|common|managers?)([/.-]|$)/;
  expect(sources.map(({ file }) => file).filter((file) => empty.test(file))).toEqual([]);
});

test("the name of every error ends in Error", () => {
  const errors = modules.flatMap(({ text }) =>
    Array.from(text.matchAll(/class (\w+) extends \w*Error\b/g), ([, name = ""]) => name),
  );
  expect(errors.length).toBeGreaterThan(3);
  expect(errors.filter((name) => !name.endsWith("Error"))).toEqual([]);
});

test("a type of one name in two files is found, with both", () => {
  const twins = ["one.ts", "two.ts"].map((file) => ({ file, text: "export interface Club {}\n" }));
  expect(findTwins(twins)).toEqual(["Club one.ts two.ts"]);
});

const git = (...command: string[]) => execFileSync("git", command, { encoding: "utf8" }).trim();
const isShallow = git("rev-parse", "--is-shallow-repository") === "true";

test.skipIf(isShallow)(
  "every commit that a document cites is in the history (skipped in a shallow clone: git fetch --unshallow)",
  () => {
    const commits = new Set(git("log", "--format=%H", "HEAD").split("\n"));
    const isThere = (cited: string) => [...commits].some((commit) => commit.startsWith(cited));
    // The changelog also has commits of its examples.
    const cited = documents
      .filter((file) => file !== "CHANGELOG.md")
      .flatMap((file) =>
        Array.from(readFileSync(file, "utf8").matchAll(/`([0-9a-f]{7,40})`/g), ([, hash = ""]) => ({
          file,
          hash,
        })),
      )
      .filter(({ hash }) => /[a-f]/.test(hash) && /\d/.test(hash));
    expect(cited.length).toBeGreaterThan(5);
    expect(cited.filter(({ hash }) => !isThere(hash))).toEqual([]);
  },
);
