import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CreateTableCommand, PutItemCommand, waitUntilTableExists } from "@aws-sdk/client-dynamodb";
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import { beforeAll, expect, test } from "vitest";
import { backedUp } from "../../command/base/backed-up.ts";
import type { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { findDenied, listSmaller, type Policy } from "../command/policy-judge.ts";
import type { IamRequest } from "../command/recorded-requests.ts";
import { type Ended, provideCommand } from "../command/run-command.ts";
import { documents } from "../documentation/documents.ts";
import { acceptLongAgo } from "./cards-of-long-ago.ts";
import { startPipeline } from "./pipeline.ts";

const bin = fileURLToPath(new URL("../../bin/scorecards.js", import.meta.url));

/** A command of a document: a line of a block, or a span in prose; variables may stand before it. */
const written =
  /(?:^[ ]*((?:[A-Z_]+=\S+ )*npm run (?:-s )?scorecards -- .+)$|`(npm run scorecards -- [^`]+)`)/gm;

const found = documents
  .flatMap((file) =>
    Array.from(readFileSync(file, "utf8").matchAll(written), ([, line, span]) => ({
      file,
      command: String(line ?? span),
    })),
  )
  // How a command is written, not one to paste.
  .filter(({ command }) => !/<(subcommand|file\.xlsx)>/.test(command));

/** Each command once, in the order of the documents; but what holds delivery is followed by what releases it. */
const commands = found.filter(
  ({ command }, index) =>
    / (hold|release) /.test(command) || found.findIndex((one) => one.command === command) === index,
);

const {
  pipeline,
  command: commandPlace,
  dynamodb,
  sqs,
  card,
  requests,
} = await provideCommand(startPipeline, true);

beforeAll(async () => {
  const { folder } = commandPlace;
  await writeFile(join(folder, "cards.ndjson"), JSON.stringify(card("round 1")));
  await writeFile(join(folder, "results.ndjson"), JSON.stringify(card("result 1")));
  await writeTable(folder, card("cup 1"));
  await writeFile(join(folder, "cards.json"), JSON.stringify([card("card-0417"), card("card 0418")]));
  await pipeline.vendor(0).submit([card("card 417"), card("card-0417"), card("card 0418")]);
  for (const [data, { key }] of Object.entries(backedUp)) {
    const TableName = `restored-${data}`;
    await dynamodb.send(
      new CreateTableCommand({
        TableName,
        KeySchema: key.map((AttributeName, place) => ({
          AttributeName,
          KeyType: place === 0 ? "HASH" : "RANGE",
        })),
        AttributeDefinitions: key.map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
        BillingMode: "PAY_PER_REQUEST",
      }),
    );
    const wait = { client: dynamodb, minDelay: 1, maxDelay: 1, maxWaitTime: 240 };
    await waitUntilTableExists(wait, { TableName });
  }
  // Counts of an hour that the stage has, too.
  const Item = { apiSet: { S: "greens-app" }, at: { S: "hour#2026-01-01T10:00Z" }, accepted: { N: "1" } };
  for (const TableName of ["restored-counts", pipeline.machine.run.outputs.ActivityTableName])
    await dynamodb.send(new PutItemCommand({ TableName, Item }));
});

/** The table that docs/submit-command.md submits, with the columns that it says. */
async function writeTable(folder: string, card: ReturnType<typeof minimalCard>): Promise<void> {
  const page = readFileSync("docs/submit-command.md", "utf8");
  const [, columns = ""] = /```json\n([\s\S]+?)```/.exec(page) ?? [];
  await writeFile(join(folder, "columns.json"), columns);
  const holes = card.Result.Strokes.map((_, hole) => hole + 1);
  const header = ["card", "member", "marker", "index", "course handicap", "start", ...holes];
  const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const start = `${day} 10:00`;
  const row = [card.ExternalID, card.Player.UnionID, card.Marker.UnionID, "15.8", "16", start];
  const rows = [header, [...row, ...card.Result.Strokes]];
  await writeFile(join(folder, "results.csv"), rows.map((cells) => cells.join(";")).join("\n"));
}

/** The command on the local run instead of a stage, with the demo account for what a reader fills in. */
function onLocalRun(command: string): string {
  return (
    command
      .replace(/ --stage (test|production)/, "")
      // The union is asked whether it knows the account.
      .replace(/account mirror \S+/, "account mirror pipeline-mirror")
      .replace(/account union \S+/, "$& --union-username pipeline-mirror --union-api-set pipeline-mirror")
      .replace(/--api (https:\/\/\S+|BASE-ADDRESS)/, `--api ${pipeline.machine.run.api}`)
      .replace(
        /SCORECARDS_USERNAME=\S+ SCORECARDS_PASSWORD=\S+/,
        "SCORECARDS_USERNAME=greens-app SCORECARDS_PASSWORD=greens-app-demo",
      )
      .replace(/SCORECARDS_UNION_PASSWORD=\S+/, "SCORECARDS_UNION_PASSWORD=pipeline-mirror-demo")
  );
}

const goesOn = / --watch| -- listen/;

/** Runs a command as a shell would, within this process; but one that the shell has a part in, or that goes on until Ctrl-C, in a shell. */
async function paste(command: string): Promise<Ended> {
  const environment: Record<string, string> = { SCORECARDS_UNION_PASSWORD: "pipeline-mirror-demo" };
  if (/[|><;&$'\\]/.test(command) || goesOn.test(command)) return pasteIntoShell(command, environment);
  const [before = "", after = ""] = command.split(/npm run (?:-s )?scorecards -- /);
  for (const [, name = "", value = ""] of before.matchAll(/(\S+?)=(\S+)/g)) environment[name] = value;
  const words = Array.from(
    after.replace(/ # .*/, "").matchAll(/"([^"]*)"|(\S+)/g),
    ([, quoted, word]) => quoted ?? word ?? "",
  );
  // What a reader has in the folder where the command is pasted.
  const inFolder = (word: string) => join(commandPlace.folder, word);
  return commandPlace.run(
    words.map((word) => (existsSync(inFolder(word)) ? inFolder(word) : word)),
    environment,
  );
}

function pasteIntoShell(command: string, environment: Record<string, string>): Promise<Ended> {
  const { PATH } = process.env;
  const { folder } = commandPlace;
  const env = { PATH, SCORECARDS_LOCAL_RUN: join(folder, "local-run.json"), ...environment };
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const options = { cwd: folder, env, timeout: 500_000, killSignal: "SIGINT" } as const;
  const line = command.replace(/npm run (-s )?scorecards --/, `'${process.execPath}' '${bin}'`);
  const child = execFile("bash", ["-c", line], options, (error, stdout, stderr) =>
    resolve({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr, json: [] }),
  );
  // It shows the first screen, or with which secret it signs, and goes on until Ctrl-C.
  if (goesOn.test(command))
    for (const output of [child.stdout, child.stderr])
      output?.on("data", (text) => /scorecard-pipeline-test|secret/.test(text) && child.kill("SIGINT"));
  return promise;
}

test("the documents have commands to paste", () => {
  expect(commands.length).toBeGreaterThan(35);
  expect(new Set(commands.map(({ file }) => file)).size).toBeGreaterThan(5);
});

async function expectDone(command: string): Promise<void> {
  const { code, stdout, stderr } = await paste(onLocalRun(command));
  expect(stderr).not.toContain("error:");
  if (goesOn.test(command)) {
    expect(stdout + stderr).toMatch(/scorecard-pipeline-test|signed with the secret/);
    return;
  }
  // 1 says that there is something to attend to, e.g. that the local run has no backups.
  expect([0, 1]).toContain(code);
}

/** Commands that run at the same time. The others change what these and others need, or read the journal of the same file. */
const isIndependent = ({ command }: (typeof commands)[number]) =>
  /scorecards -- (overview|status|watch|reconcile|mirror|redrive|smoke|person find|account list|backup check)/.test(
    command,
  );

// In the order of the documents: an account is added before it is changed.
test.each(commands.filter((one) => !isIndependent(one)))("$file: $command", ({ command }) =>
  expectDone(command),
);

test.concurrent.each(commands.filter(isIndependent))("$file: $command", ({ command }) => expectDone(command));

const { machine } = pipeline;
const policy: Policy = JSON.parse(
  readFileSync("docs/examples/on-call-policy.json", "utf8").replaceAll("STAGE", "test"),
);
const { runbook, groups } = readLogGroups();
/** What a deployed stage is asked besides: by whom it is found, and what the runbook has a person read. */
const askedByPeople: readonly IamRequest[] = [
  { action: "cloudformation:DescribeStacks", resource: "*" },
  { action: "sts:GetCallerIdentity", resource: "*" },
  { action: "logs:GetQueryResults", resource: "*" },
  { action: "logs:DescribeLogGroups", resource: "*" },
  ...groups.map((group) => ({
    action: "logs:StartQuery",
    resource: `arn:aws:logs:REGION:ACCOUNT:log-group:${group}`,
  })),
  { action: "cloudwatch:GetDashboard", resource: "arn:aws:cloudwatch::ACCOUNT:dashboard/scorecards-test" },
];

/** The log groups that the runbook names. */
function readLogGroups() {
  const runbook = readFileSync("docs/runbook.md", "utf8");
  const named = Array.from(runbook.matchAll(/`((?:\/aws\/lambda\/)?\{stack\}[^`]+)`/g), ([, group = ""]) =>
    group.replace("{stack}", "scorecard-pipeline-test").replace("{function}", "deliver-scorecards"),
  );
  return { runbook, groups: named };
}

test("the policy for the person on call allows what these commands asked, and nothing that none of them needs", async () => {
  expect(groups).toHaveLength(2);
  expect(runbook).toContain("on the dashboard");
  // What the commands find seldom: dead letters, cards that wait, a course that is new, a vendor that left and comes back.
  const { run } = machine;
  await acceptLongAgo(run, "greens-app", [card("dead letter")], run.resource("DeadLetterQueue"));
  const unreadable = { QueueUrl: run.resource("DeadLetterQueue"), MessageBody: "not a wake-up" };
  await sqs.send(new SendMessageCommand(unreadable));
  const [version] = pipeline.standIn.courses;
  const club = pipeline.standIn.clubs.find(({ ID }) => ID === version?.ClubID);
  if (version !== undefined) pipeline.standIn.publish({ ...version, ID: randomUUID(), Version: 99 });
  const codes: (number | null)[] = [];
  for (const words of [
    "redrive",
    "hold",
    `mirror --club ${club?.ID}`,
    "account add left-app --plan tournament",
    "account disable left-app",
    "account remove left-app",
    "account add left-app",
  ])
    codes.push((await commandPlace.run(words.split(" "), { SCORECARDS_UNION_PASSWORD: "left" })).code);
  await pipeline.vendor(0).submit([card("waits")]);
  const since = ["--from", new Date(Date.now() - 60_000).toISOString()];
  for (const words of [["withdraw", "--vendor", "greens-app", ...since, "--yes"], ["release"]])
    codes.push((await commandPlace.run(words)).code);
  // Of redrive: a dead letter cannot be read. Of withdraw: earlier cards are at the exchange.
  expect(codes).toEqual([1, 0, 0, 0, 0, 0, 0, 1, 0]);
  const asked = [...requests(), ...askedByPeople];
  const function_ = machine.run.resource("deliver-scorecards");
  const context = { "lambda:FunctionArn": `arn:aws:lambda:REGION:ACCOUNT:function:${function_}` };
  expect(findDenied(policy, asked, context)).toEqual([]);
  const unneeded = listSmaller(policy).filter(
    ([, smaller]) => findDenied(smaller, asked, context).length === 0,
  );
  expect(unneeded.map(([without]) => without)).toEqual([]);
  const ofAnother = { "lambda:FunctionArn": "arn:aws:lambda:REGION:ACCOUNT:function:payroll" };
  expect(findDenied(policy, asked, ofAnother)).not.toEqual([]);
});
