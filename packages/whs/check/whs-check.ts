#!/usr/bin/env node
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { drawInputs } from "./draw-inputs.ts";
import { checkedFunctions, evaluate } from "./functions.ts";

const usage = `whs-check [--function NAME] [--draw COUNT [--seed NUMBER]] [--] COMMAND…

Plays the vectors of the Rules of Handicapping against a program in any language. It reads lines
{"id": "CH01", "function": "courseHandicap", "input": {…}} and answers each with a line {"id": "CH01", "value": 15}.
With --draw it plays so many drawn inputs of a function, and compares with this package.
`;

/** What the program is asked, what the rule gives, and why. */
interface Vector {
  readonly id: string;
  readonly function: string;
  readonly input: unknown;
  readonly expected: unknown;
  readonly why: string;
}

const chapters = ["rule-3", "rule-5", "rule-6", "appendix-e", "rules-of-golf-21"];
// By its own name, so that vectors are found in the repository and in the installed package.
const require = createRequire(import.meta.url);
const readVectors = (): Vector[] =>
  chapters.flatMap((chapter) => require(`@scorecard-pipeline/whs/vectors/${chapter}.json`));

const drawVectors = (count: number, seed: number): Vector[] =>
  Object.keys(checkedFunctions).flatMap((name) =>
    drawInputs(name, count, seed).map((input, place) => {
      const { value, working = "" } = evaluate(name, input);
      return { id: `${name}-${place}`, function: name, input, expected: value, why: working };
    }),
  );

/** Asks a program line by line. @returns its answers as JSON, by id */
async function ask(command: readonly string[], vectors: readonly Vector[]): Promise<Map<string, string>> {
  const [file = "", ...words] = command;
  const program = spawn(file, words, { stdio: ["pipe", "pipe", "inherit"] });
  program.on("error", ({ message }) => process.stderr.write(`${file} cannot be started: ${message}\n`));
  // A program that ends early closes its input: what it has not answered is counted below.
  program.stdin.on("error", () => undefined);
  for (const { id, function: name, input } of vectors)
    program.stdin.write(`${JSON.stringify({ id, function: name, input })}\n`);
  program.stdin.end();
  const answers = new Map<string, string>();
  for await (const line of createInterface(program.stdout)) {
    const { id, value } = JSON.parse(line);
    answers.set(id, JSON.stringify(value));
  }
  return answers;
}

const { values, positionals: command } = parseArgs({
  options: { function: { type: "string" }, draw: { type: "string" }, seed: { type: "string", default: "1" } },
  allowPositionals: true,
});
if (command.length === 0) {
  process.stderr.write(usage);
  process.exit(2);
}
const all = values.draw === undefined ? readVectors() : drawVectors(Number(values.draw), Number(values.seed));
const vectors = all.filter((vector) => values.function === undefined || vector.function === values.function);
const answers = await ask(command, vectors);
let [agree, differ] = [0, 0];
for (const { id, function: name, input, expected, why } of vectors) {
  const [answer, right] = [answers.get(id), JSON.stringify(expected)];
  if (answer === right) agree++;
  else if (answer !== undefined) {
    differ++;
    process.stdout.write(`${id}: ${name} of ${JSON.stringify(input)} is ${right}, not ${answer} (${why})\n`);
  }
}
const unanswered = vectors.length - agree - differ;
process.stdout.write(`${agree} agree, ${differ} differ, ${unanswered} were not answered.\n`);
process.exitCode = differ > 0 || agree === 0 ? 1 : 0;
