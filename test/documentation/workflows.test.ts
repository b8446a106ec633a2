import { existsSync, globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";
import { proofs } from "../../vitest.config.ts";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
const proofFiles = globSync(proofs).map((file) => basename(file, ".ts"));

/** The lines that do something, without comments. */
const readLines = (file: string) => readFileSync(file, "utf8").replaceAll(/(^|\s)#.*$/gm, "");

const workflows = globSync(".github/workflows/*.{yml,yaml}");
const nightly = readLines(".github/workflows/nightly.yml");

/** Whether a name can only be checked while the workflow runs: it has a variable or a pattern, or the workflow creates it. */
const isMadeLater = (name: string, text: string) =>
  /[$*]/.test(name) || text.includes(`mkdir ${name.split("/")[0]}`);

/** What a workflow or script names that does not exist: files, folders, npm scripts, programs of npx, proofs. */
function findMissing(text: string): string[] {
  // Actions of others stand as owner/name@commit, permissions of brackets as {a,b}.proof.
  const own = text
    .replaceAll(/uses: (?!\.\/)\S+/g, "")
    .replaceAll(/\{([\w,-]+)\}\.proof/g, (_, names: string) => names.replaceAll(/[\w-]+/g, "$&.proof"));
  const words = own.split(/[\s"'`,;()[\]|&>]+/);
  const paths = [
    ...words.filter((word) =>
      /^(?!-|https?:|\/|\w+=)[^$]*\/|^[\w./-]+\.(?:[cm]?[jt]s|json|sh|py)$/.test(word),
    ),
    ...Array.from(own.matchAll(/(?:file|path|directory): *["']?([^\s"']+)/g), ([, path = ""]) => path),
  ];
  const npmScripts = Array.from(
    own.matchAll(/npm (?:run (?:-s )?)?([a-z][a-z:-]*)/g),
    ([, script = ""]) => script,
  );
  const programs = Array.from(own.matchAll(/npx ([a-z][\w-]*)/g), ([, program = ""]) => program);
  return [
    ...paths.filter((path) => !isMadeLater(path, own) && !existsSync(path)),
    ...npmScripts.filter((script) => !(script in scripts) && !["ci", "pack"].includes(script)),
    ...programs.filter((program) => !existsSync(`node_modules/.bin/${program}`)),
    ...words.filter((word) => word.endsWith(".proof") && !proofFiles.includes(word)),
  ];
}

test.each([...workflows, ".ci/run"])("every file, script and program that %s names exists", (file) => {
  expect(findMissing(readLines(file))).toEqual([]);
});

test.each([
  ["          node-version-file: .nvmrc", ".nvmrc"],
  ["      - run: node bin/publish.ts --all", "bin/publish.ts"],
  ["      - run: npm run publish-all", "publish-all"],
  ["      - run: npx publisher", "publisher"],
  ["npm run proofs -- --days 500 {judge,gone}.proof", "gone.proof"],
])("a workflow with the line %j names something that does not exist", (line, missing) => {
  expect(findMissing(line)).toEqual([missing]);
});

test("the nightly workflow plays every proof, because it names none", () => {
  expect(nightly).toMatch(/^ +- run: npm run proofs -- --minutes \d+ --seed "[^"]+"$/m);
});
