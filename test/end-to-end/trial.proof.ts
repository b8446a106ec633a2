import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { rehearsalCards } from "../../local/pipeline/rehearsal.ts";
import { synthesizeStage } from "../../local/pipeline/synthesize-stage.ts";
import { adaptStack, trialContext } from "../../local/trial/adapt-stack.ts";
import { runTrial } from "../../local/trial/run-trial.ts";
import { denmark } from "../../unions/denmark.ts";
import { type CommandLine, commandLine } from "../command/run-command.ts";
import { hurried } from "../hurried-settings.ts";
import { type Pipeline, startPipeline } from "./pipeline.ts";

let folder: string;
let pipeline: Pipeline;
let command: CommandLine;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "scorecard-trial-"));
  const context = trialContext({
    leaveOut: ["AWS::CloudWatch::Dashboard"],
    withoutApiKeys: false,
    withoutStreaming: false,
  });
  synthesizeStage(folder, hurried, (stack) => adaptStack(stack, context));
  pipeline = await startPipeline({ assembly: folder });
  command = await commandLine(pipeline);
});
afterAll(async () => {
  await command?.stop();
  await pipeline?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test("a trial delivers a card after a hold and after an outage, and removes what it made, here on the local run", async () => {
  const { machine, standIn } = pipeline;
  const vendor = pipeline.vendor(0).account;
  await command.run(["account", "disable", vendor.username]);
  await command.run(["account", "remove", vendor.username]);
  const cards = rehearsalCards(standIn, denmark, "trial", new Date()).filter(
    (one) => one.vendor.apiSet === vendor.apiSet,
  );
  const deployments: object[] = [];
  const done = { code: 0, stdout: "", stderr: "" };

  const results = await runTrial(
    {
      bootstrap: async () => done,
      // The local run stands for an endpoint that does not know one type.
      async deploy(adaptation) {
        deployments.push(adaptation);
        if (adaptation.leaveOut.length > 0) return done;
        return { ...done, code: 1, stderr: "Unrecognized resource types: [AWS::CloudWatch::Dashboard]" };
      },
      diff: async () => ({ ...done, stderr: "Number of stacks with differences: 0" }),
      destroy: async () => done,
      refusedResources: async () => [],
      leftovers: async () => ["table one"],
      scorecards: async (parameters, environment) => {
        const { code, stdout, stderr } = await command.run(parameters, environment);
        return { code: code ?? 2, stdout, stderr };
      },
      invoke: (name, event) => machine.run.invoke(name, event),
      apiAddresses: async () => ["http://127.0.0.1:9/test", machine.run.api],
      standIn,
      vendor,
      mirror: { username: "pipeline-mirror", password: "pipeline-mirror-demo" },
      async writeCards(round) {
        const card = cards.shift()?.card;
        const path = join(command.folder, `${round}.json`);
        await writeFile(path, JSON.stringify([card]));
        return { path, externalId: card?.ExternalID ?? "" };
      },
    },
    { keep: false, patienceSeconds: 60 },
    () => undefined,
  );

  expect(results.map(({ step, result, detail }) => [result, step, result === "failed" && detail])).toEqual([
    ["ok", "bootstrap", false],
    ["skipped", "AWS::CloudWatch::Dashboard", false],
    ["ok", "deploy", false],
    ["ok", "account mirror", false],
    ["ok", "mirror", false],
    ["ok", "account add", false],
    ["ok", "credentials", false],
    ["ok", "diff", false],
    ["ok", "smoke", false],
    ["ok", "hold, release", false],
    ["ok", "outage, redrive", false],
    ["ok", "account remove", false],
    ["ok", "destroy", false],
  ]);
  expect(results.at(-1)?.detail).toBe("left: table one");
  expect(deployments).toHaveLength(2);
}, 90_000);
