import { readFileSync } from "node:fs";
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
