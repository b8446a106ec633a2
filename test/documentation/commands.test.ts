import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { scorecardsProgram } from "../../command/program.ts";
import { documents } from "./documents.ts";

/** What a document tells its reader to run: `scorecards redrive` in prose, `npm run scorecards -- redrive` in a block. */
const invocation = /(?:`scorecards|npm run scorecards --) ((?:account )?[a-z-]+)/g;

const told = documents.flatMap((file) =>
  Array.from(readFileSync(file, "utf8").matchAll(invocation), ([, words]) => [file, String(words)] as const),
);

const known = scorecardsProgram().commands.flatMap((command) => [
  command.name(),
  ...command.commands.map((part) => `${command.name()} ${part.name()}`),
]);

test("the documents tell of the scorecards command", () => {
  expect(new Set(told.map(([file]) => file)).size).toBeGreaterThan(3);
});

test.each(told)("%s: there is a command scorecards %s", (_file, words) => {
  expect(known).toContain(words);
});

const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
const everywhere = documents.map((file) => [file, readFileSync(file, "utf8")] as const);

test("npm run scorecards starts the command", () => {
  expect(scripts.scorecards).toBe("node bin/scorecards.ts");
});

test.each(everywhere)("%s names only npm scripts that exist, and tests that exist", (_file, page) => {
  for (const [, name] of page.matchAll(/npm run (?:-s )?([a-z][a-z:-]*)/g)) {
    expect(Object.keys(scripts)).toContain(name);
  }
  for (const [, path] of page.matchAll(/npx vitest run (test[\w/.-]+)/g)) {
    expect(existsSync(String(path))).toBe(true);
  }
});

test.each(everywhere)("%s synthesizes without printing a template of a thousand lines", (_file, page) => {
  for (const [command] of page.matchAll(/npx cdk synth[^`\n]*/g)) expect(command).toContain("--quiet");
});
