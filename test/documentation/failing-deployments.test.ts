import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { awsLimits, datedFacts } from "../../lib/aws-facts.ts";
import { settings } from "../../lib/settings.ts";
import { type AccountState, deploymentFaults } from "../../local/deployment/deployment-faults.ts";
import { deploy, type RuledAccount, runCommand } from "../lib/cloudformation-rules.ts";
import type { UpdatedTemplate } from "../lib/update-rules.ts";
import { templateOf } from "../synthesized-stack.ts";

const { production } = settings;
const small = { ...production, accountConcurrency: "small" } as const;
const read = async (given: typeof production) => (await templateOf(given)).toJSON() as UpdatedTemplate;
const [template, smallTemplate] = [await read(production), await read(small)];
const pages = {
  deploy: readFileSync("docs/deploy.md", "utf8"),
  runbook: readFileSync("docs/runbook.md", "utf8"),
};
const mirrorSecret = "scorecards/production/mirror";
const secretName = `AWS::SecretsManager::Secret ["${mirrorSecret}"]`;

/** The commands of a page's section that name production's stack. */
function listCommands(page: keyof typeof pages, section: string): string[] {
  const [, text = ""] = pages[page].split(new RegExp(`^#+ ${section}$`, "m"));
  const lines = (text.split(/^#+ /m)[0] ?? "").matchAll(/^aws cloudformation .*-production$/gm);
  return Array.from(lines, ([line]) => line);
}

const account = (spoilt: Partial<RuledAccount> = {}): RuledAccount => ({
  runs: 1_000,
  hasLogRole: true,
  names: new Set(),
  refused: undefined,
  ...spoilt,
});

/** What `npm run deploy:check` says of an account. */
function check(
  of: RuledAccount,
  changes: Partial<AccountState> = {},
  given = production,
  day = "2026-12-01",
) {
  const place = { account: "123456789012", region: "eu-north-1", isBootstrapped: true };
  const { runs: unreservedRuns, hasLogRole, names, stack } = of;
  const hasMirrorSecret = names.has(secretName);
  const state = { ...place, stack, unreservedRuns, hasLogRole, hasMirrorSecret, ...changes };
  return deploymentFaults(given, state, new Date(day));
}

test.each<[string, Partial<RuledAccount>, string | undefined]>([
  ["a new account's ten runs", { runs: 10 }, "reserves 412 of 10 runs"],
  ["an account for one stage only", { runs: 500 }, "reserves 412 of 500 runs"],
  ["no role for logs", { hasLogRole: false }, "no role to write logs"],
  ["a name that is taken", { names: new Set([secretName]) }, `${mirrorSecret} is taken`],
  ["a resource that is refused", { refused: "Dashboard9E4231ED" }, undefined],
])("production's first deployment that failed for %s is repeated as the page says", (_what, spoilt, told) => {
  const failing = account(spoilt);
  expect(check(failing)).toEqual(told === undefined ? [] : [expect.stringContaining(told)]);
  expect(() => deploy(failing, template, true)).toThrow();
  expect(failing.stack?.status).toBe("ROLLBACK_COMPLETE");
  const mended = account({ stack: failing.stack });

  expect(() => deploy(mended, template, true)).toThrow("TerminationProtection");
  const [command = ""] = listCommands("deploy", "Take it down");
  expect(check(mended)).toEqual([expect.stringContaining(command)]);
  runCommand(mended, command);
  expect(check(mended)).toEqual([]);
  deploy(mended, template, true);
  expect(mended.stack).toMatchObject({ status: "CREATE_COMPLETE", isProtected: true });
});

test("a new account takes a stage that reserves no runs", () => {
  const given = account({ runs: 10 });
  expect(check(given, {}, small)).toEqual([]);
  deploy(given, smallTemplate, true);
});

test("an update whose rollback failed goes on by the runbook's commands, and can be deployed again", () => {
  const given = account();
  deploy(given, template, true);
  given.refused = "Dashboard9E4231ED";
  expect(() => deploy(given, template, true)).toThrow("refused");
  expect(check(given)).toEqual([expect.stringContaining("docs/runbook.md")]);
  given.refused = undefined;
  expect(() => deploy(given, template, true)).toThrow("can not be updated");
  for (const line of listCommands("runbook", "UPDATE_ROLLBACK_FAILED")) runCommand(given, line);
  deploy(given, template, true);
});

test("production is taken down and made again as the page and the check say", () => {
  const given = account();
  deploy(given, template, true);
  expect(() => runCommand(given, "aws cloudformation delete-stack")).toThrow("TerminationProtection");
  for (const line of listCommands("deploy", "Take it down")) runCommand(given, line);
  runCommand(given, "aws cloudformation delete-stack");
  expect(() => deploy(given, template, true)).toThrow("already exists");
  expect(pages.deploy).toContain(`while the secret \`${mirrorSecret}\` exists`);
  const advised = check(given).flatMap((fault) => /: (aws .+)\.$/.exec(fault)?.[1] ?? []);
  for (const line of advised) runCommand(given, line);
  deploy(given, template, true);
});

test.each<[string, Partial<AccountState>, string]>([
  [
    "no bootstrap",
    { isBootstrapped: false },
    "cdk bootstrap aws://123456789012/eu-north-1 -c stage=production",
  ],
  ["another partition", { region: "cn-north-1" }, "partition aws"],
  ["a deployment under way", { stack: { status: "UPDATE_IN_PROGRESS", isProtected: true } }, "Wait until"],
  [
    "what cannot be deleted",
    { stack: { status: "DELETE_FAILED", isProtected: false } },
    "--retain-resources",
  ],
])("a check before a deployment tells of %s, and what to do", (_what, changes, told) => {
  expect(check(account(), changes)).toEqual([expect.stringContaining(told)]);
});

test("a check tells of Node's end of life half a year before, and the page has the other facts that age", () => {
  expect(check(account(), {}, production, "2027-12-01")).toEqual([
    expect.stringContaining(datedFacts.node.endOfLife),
  ]);
  for (const fact of [
    `gives up after ${awsLimits.tableWaitSeconds} seconds`,
    `after ${awsLimits.roleSeconds} seconds`,
    `since ${datedFacts.githubSubjectsWithIds}`,
    "repo:OWNER@OWNER_ID/REPOSITORY@ID:environment:test",
  ])
    expect(pages.deploy).toContain(fact);
});
