import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  InvokeCommand,
  LambdaClient,
  ListEventSourceMappingsCommand,
  PutFunctionConcurrencyCommand,
  UpdateEventSourceMappingCommand,
} from "@aws-sdk/client-lambda";
import { PutSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { functionNames } from "../../lib/bundles.ts";
import { settings } from "../../lib/settings.ts";
import { localCredentials } from "../../local/aws/environment.ts";
import { hurried, synthesizeStage } from "../synthesize-once.ts";
import { acceptLongAgo } from "./cards-of-long-ago.ts";
import { minimalCard } from "./good-card.ts";
import { type Pipeline, startPipeline } from "./pipeline.ts";

/** The test stage with alarms that wait for seconds instead of hours. */
const wakeful = { ...hurried, alarms: { ...hurried.alarms, oldestCardSeconds: 1, mirrorAgeSeconds: 1 } };

let folder: string;
let pipeline: Pipeline;
let lambda: LambdaClient;
/** Paths of the alarms that a test has made ring. */
const rung = new Set<string>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "scorecard-alarms-"));
  synthesizeStage(folder, wakeful);
  pipeline = await startPipeline(folder);
  lambda = client(LambdaClient, pipeline.machine.run.lambda);
});
afterAll(async () => {
  lambda?.destroy();
  await pipeline?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function client<Client>(
  Kind: new (settings: {
    endpoint: string;
    region: string;
    credentials: typeof localCredentials;
    maxAttempts: number;
  }) => Client,
  endpoint: string,
): Client {
  const { region } = pipeline.machine.run;
  return new Kind({ endpoint, region, credentials: localCredentials, maxAttempts: 1 });
}

const ringing = async () => (await pipeline.machine.run.ringing()).map(({ path }) => path);

async function expectRinging(path: string): Promise<void> {
  await expect.poll(ringing, { timeout: 20_000, interval: 200 }).toContain(path);
  rung.add(path);
}

const submit = (ExternalID: string) =>
  pipeline.vendor(0).submit([minimalCard(pipeline.standIn, { ExternalID })]);

/** Has delivery wait, as during an announced freeze of the union. */
async function holdDelivery(hold: boolean): Promise<void> {
  const { EventSourceMappings } = await lambda.send(new ListEventSourceMappingsCommand({}));
  for (const { UUID } of EventSourceMappings ?? []) {
    await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: !hold }));
  }
}

test("no alarm rings while all is well, by the settings that are deployed", async () => {
  const assembly = join(folder, "deployed");
  synthesizeStage(assembly, { ...settings.test, usagePlans: hurried.usagePlans });
  const well = await startPipeline(assembly);
  onTestFinished(() => well.stop());
  await well.vendor(0).submit([minimalCard(well.standIn, { ExternalID: "well" })]);
  await expect.poll(() => well.vendor(0).states(["well"]), { timeout: 20_000 }).toEqual(["delivered"]);
  expect(await well.machine.run.ringing()).toEqual([]);
}, 60_000);

test("an alarm rings when cards wait in the queue, and one at the end of the day", async () => {
  await holdDelivery(true);
  await submit("held");
  await expectRinging("Delivery/OldestMessageAlarm");
  await pipeline.machine.run.invoke("measure-unsent", {});
  await expectRinging("UnsentCards/UnsentAlarm");
  await holdDelivery(false);
});

test("alarms ring when the exchange is down, and when cards have been tried for too long or were given up", async () => {
  Object.assign(pipeline.standIn.faults, { outage: true });
  const { apiSet } = pipeline.vendor(0).account;
  await acceptLongAgo(pipeline.machine.run, apiSet, [
    minimalCard(pipeline.standIn, { ExternalID: "given-up" }),
  ]);
  await expectRinging("Delivery/UndeliveredAlarm");
  await submit("outage-1");
  await submit("outage-2");
  await expectRinging("Delivery/OldestCardAlarm");
  await expectRinging("Delivery/ExchangeFailingAlarm");
});

test("an alarm rings when nothing can be mirrored any more, or is not at all", async () => {
  await pipeline.machine.run.invoke("mirror-courses", { pass: "changes" }).catch(() => undefined);
  await expectRinging("Mirror/MirrorStaleAlarm");
  const alarm = pipeline.machine.run.alarms.find(({ path }) => path === "Mirror/MirrorStaleAlarm");
  expect(alarm?.state(Date.now() + 86_400_000)).toBe("ALARM");
  Object.assign(pipeline.standIn.faults, { outage: false });
});

test("an alarm rings when the union refuses a vendor's credentials", async () => {
  const { apiSet } = pipeline.vendor(1).account;
  const secrets = client(SecretsManagerClient, pipeline.machine.run.secretsManager);
  const SecretString = JSON.stringify({ username: "nobody", password: "wrong", apiSet });
  await secrets.send(
    new PutSecretValueCommand({ SecretId: `scorecards/test/vendor/${apiSet}`, SecretString }),
  );
  secrets.destroy();
  await pipeline.vendor(1).submit([minimalCard(pipeline.standIn, { ExternalID: "refused" })]);
  await expectRinging("Delivery/CredentialsRefusedAlarm");
});

test("an alarm rings when a message cannot be read for so long that it is a dead letter", async () => {
  const { run } = pipeline.machine;
  const sqs = client(SQSClient, run.sqs);
  // A message is received for an hour before the queue moves it, which nobody waits for here.
  await sqs.send(
    new SendMessageCommand({ QueueUrl: run.resource("DeadLetterQueue"), MessageBody: "not a wake-up" }),
  );
  await expectRinging("Delivery/DeadLettersAlarm");
  sqs.destroy();
});

test("an alarm rings when the API fails", async () => {
  const FunctionName = pipeline.machine.run.resource("Reading/read-courses");
  const limit = (ReservedConcurrentExecutions: number) =>
    lambda.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions }));
  await limit(0);
  const asked = Array.from({ length: 5 }, () => pipeline.vendor(0).ask("GET", "Clubs"));
  for (const { status } of await Promise.all(asked)) expect(status).toBeGreaterThanOrEqual(500);
  await expectRinging("Monitoring/ApiFailingAlarm");
  await limit(10);
});

test("alarms ring when a function crashes, and when it is throttled, whichever it is", async () => {
  const { run } = pipeline.machine;
  const deployed = functionNames.filter((name) =>
    run.alarms.some(({ path }) => path === `Monitoring/${name}-errors`),
  );
  for (const name of deployed) {
    for (let crash = 0; crash < 3; crash++) {
      // Wrong passwords are errors of authorize too, so that alarm goes by those that it did not expect.
      const invoked = run.invoke(name, {}).catch(() => undefined);
      if (name !== "authorize") expect(run.killEnvironment(name)).toBe(true);
      await invoked;
    }
    await expectRinging(`Monitoring/${name}-errors`);

    const throttles = run.alarms.find(({ path }) => path === `Monitoring/${name}-throttles`);
    if (name === "mirror-courses") {
      expect(throttles).toBeUndefined();
      continue;
    }
    const FunctionName = throttles?.metric.dimensions.FunctionName;
    await lambda.send(new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: 0 }));
    await expect(lambda.send(new InvokeCommand({ FunctionName, Payload: "{}" }))).rejects.toThrow();
    await expectRinging(`Monitoring/${name}-throttles`);
  }
}, 120_000);

test("so every alarm has rung", () => {
  expect([...rung].sort()).toEqual(pipeline.machine.run.alarms.map(({ path }) => path).sort());
});
