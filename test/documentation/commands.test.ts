import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { scorecardsProgram } from "../../command/program.ts";
import { documents } from "./documents.ts";

/** What a document tells its reader to run: `scorecards redrive` in prose, `npm run scorecards -- redrive` in a block. */
const invocation = /(?:`scorecards|npm run scorecards --) ((?:account )?[a-z-]+)/g;

// The changelog also tells of commands that went.
const told = documents
  .filter((file) => file !== "CHANGELOG.md")
  .flatMap((file) =>
    Array.from(
      readFileSync(file, "utf8").matchAll(invocation),
      ([, words]) => [file, String(words)] as const,
    ),
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
  expect(scripts.scorecards).toBe("node bin/scorecards.js");
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

test.each([
  ...everywhere,
  ...["package.json", ".github/workflows/test.yml", ".github/workflows/deploy.yml"].map(
    (file) => [file, readFileSync(file, "utf8")] as const,
  ),
])("%s gives the CDK no context without a value, which it ignores", (_file, page) => {
  for (const [, context] of page.matchAll(/cdk [^`\n]*?-c ([^\s`"]+)/g)) expect(context).toContain("=");
  for (const [context] of page.matchAll(/-c allow-placeholders\S*/g)) expect(context).toContain("=true");
});

/** Commands that a test pastes, by how they begin, with the test. */
const pasted: readonly (readonly [begins: RegExp, test: string])[] = [
  [/^npm run (-s )?scorecards -- /, "test/end-to-end/documented-commands.test.ts"],
  [/^curl -u greens-app:greens-app-demo /, "test/end-to-end/readme.test.ts"],
  [/^npx stand-in /, "test/packages/installed-packages.proof.ts"],
  [/^npx whs-check /, "test/packages/installed-packages.proof.ts"],
  [/^python3 -m venv \.venv && /, "test/end-to-end/client-python.proof.ts"],
  [/^pip install \.\/scorecard_pipeline_client-/, "test/end-to-end/client-python.proof.ts"],
  [/^npx --yes \.\/scorecard-pipeline-scorecards-client-/, "test/end-to-end/client-readme.test.ts"],
  [/^npm install \.\/scorecard-pipeline-scorecards-client-/, "test/end-to-end/client-readme.test.ts"],
  [/^npm install \.\/scorecard-pipeline-/, "test/packages/installed-packages.proof.ts"],
  [/^npx cdk (synth|diff) .*allow-placeholders/, "test/bin/cdk-diff.proof.ts"],
];

/** Commands that no test pastes, by how they begin, with the reason. */
const notPasted: readonly (readonly [begins: RegExp, because: string])[] = [
  [/^npm ci/, "it installs the packages that tests run with"],
  [
    /^npm start/,
    "it serves until Ctrl-C; test/end-to-end/start-command.proof.ts starts it with options of its own",
  ],
  [/^npx cdk (bootstrap|diff|deploy) /, "it needs an account"],
  [/^npm run rollback/, "it needs an account; test/end-to-end/upgrade.proof.ts plays it on local engines"],
  [/^npm run deploy:prove/, "it needs an emulator; test/bin/prove-deployment.proof.ts starts it with one"],
  [/^aws /, "it needs an account"],
  [/^npx scorecards-client /, "it judges an app; test/end-to-end/conformance.proof.ts plays two"],
  [
    /^npm run conformance/,
    "it needs a union's test environment; test/unions/conformance/run-conformance.test.ts asks the stand-in",
  ],
  [
    /^npx @openapitools/,
    "it generates a client elsewhere; test/end-to-end/generated-clients.proof.ts does the same for Java and Go",
  ],
  [
    /^curl -u "\$(VENDOR|OPERATOR)_USER/,
    "it needs an account; test/end-to-end/activity.test.ts and webhooks.test.ts make the same requests",
  ],
  [/^npm run bench -- submit/, "it measures for minutes, and needs another checkout"],
  [/^npm run proofs/, "it plays as long as it is told; CI runs it"],
];

const blocks = everywhere.flatMap(([file, page]) =>
  Array.from(page.matchAll(/^ *```sh\n([\s\S]+?)^ *```/gm), ([, block]) => [file, String(block)] as const),
);
const lines = blocks.flatMap(([file, block]) =>
  Array.from(
    block.matchAll(/^ *(?:[A-Z_]+=\S+ )*((?:npm|npx|aws|cdk|curl|python3|pip) .*)$/gm),
    ([, line]) => [file, String(line)] as const,
  ),
);

test("the documents have commands in blocks", () => {
  expect(lines.length).toBeGreaterThan(60);
});

test.each(lines)(
  "%s: a test pastes this command, or the reason why none does is stated: %s",
  (_file, line) => {
    const known = [...pasted, ...notPasted].filter(([begins]) => begins.test(line));
    expect(known).not.toEqual([]);
  },
);

test.each([...pasted, ...notPasted])("%s is still the beginning of a documented command", (begins) => {
  expect(lines.map(([, line]) => line)).toContainEqual(expect.stringMatching(begins));
});

test.each(pasted)("the test that pastes %s exists", (_begins, path) => {
  expect(existsSync(path)).toBe(true);
});
