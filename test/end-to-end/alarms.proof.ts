import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  InvokeCommand,
  LambdaClient,
  ListEventSourceMappingsCommand,
  PutFunctionConcurrencyCommand,
  UpdateEventSourceMappingCommand,
} from "@aws-sdk/client-lambda";
import { PutSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { PurgeQueueCommand, SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { Alarm } from "@scorecard-pipeline/local-aws/cloudwatch";
import { localCredentials } from "@scorecard-pipeline/local-aws/environment";
import type { CfnAlarm } from "aws-cdk-lib/aws-cloudwatch";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { ApiSet } from "../../core/accounts/account.ts";
import { guidKey } from "../../core/formats/identifiers.ts";
import { hourOf, instantOf, wallClockAt } from "../../core/formats/union-time.ts";
import { clubTable } from "../../core/register/club-table.ts";
import { activityWriter } from "../../core/views/activity-table.ts";
import { settings } from "../../lib/settings.ts";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { synthesizeStage } from "../../local/pipeline/synthesize-stage.ts";
import { startEndpoint } from "../../local/pipeline/webhook-endpoint.ts";
import { day } from "../durations.ts";
import { hurried } from "../hurried-settings.ts";
import { assemblyOf } from "../synthesized-stack.ts";
import { acceptLongAgo, tryLongAgo } from "./cards-of-long-ago.ts";
import { type Pipeline, startPipeline, type Vendor } from "./pipeline.ts";

/** The test stage with all that is optional and has alarms, which wait for seconds instead of hours. */
const wakeful = {
  ...hurried,
  allowedOrigins: ["https://scores.example"],
  recordCheck: { ...hurried.recordCheck, share: 1 },
  timing: {
    ...hurried.timing,
    oldestCard: 1,
    mirrorAge: 6,
    recordCheckEvery: 86_400,
    recordCheckFirst: 1,
    recordCheckLast: 2,
  },
};

/** Seconds; half a day where it is deployed. */
const lateRecordChecks = 1;
/** Seconds; half an hour where it is deployed. A batch waits for a second, and records tell whole seconds. */
const lateOutcomes = 4;

let folder: string;
let pipeline: Pipeline;
let lambda: LambdaClient;
/** Paths of the alarms that a test has made ring, and of those that it has seen clear again. */
const rung = new Set<string>();
const cleared = new Set<string>();

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "scorecard-alarms-"));
  synthesizeStage(folder, wakeful, (stack) => {
    const late = stack.node.findChild("Outcomes").node.findChild("OutcomesLateAlarm");
    (late.node.defaultChild as CfnAlarm).threshold = lateOutcomes;
    const lateChecks = stack.node.findChild("RecordCheck").node.findChild("RecordChecksLateAlarm");
    (lateChecks.node.defaultChild as CfnAlarm).threshold = lateRecordChecks;
  });
  pipeline = await startPipeline({ assembly: folder });
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

const poll = { interval: 200 };

const ringing = async () => (await pipeline.machine.run.ringing()).map(({ path }) => path);

async function expectRinging(...paths: readonly string[]): Promise<void> {
  await expect.poll(ringing, poll).toEqual(expect.arrayContaining([...paths]));
  for (const path of paths) rung.add(path);
}

function alarmAt(path: string): Alarm {
  const alarm = pipeline.machine.run.alarms.find((one) => one.path === path);
  if (alarm === undefined) throw new Error(`There is no alarm ${path}.`);
  return alarm;
}

/** The state that an alarm will have when its period holds only what happened since a moment. */
async function stateSince(path: string, since: number): Promise<string> {
  // Reads the queues' metrics, too.
  await pipeline.machine.run.ringing();
  const alarm = alarmAt(path);
  return alarm.state(since + alarm.period * 1000);
}

/** Does something, and tells the state that an alarm will have when its period holds what came of this only. */
async function stateAfter(work: () => Promise<unknown>, path: string): Promise<string> {
  const since = Date.now();
  await work();
  return stateSince(path, since);
}

/** Runs what measures the service. */
const stateAfterMeasuring = (path: string) =>
  stateAfter(() => pipeline.machine.run.invoke("wake-waiting-cards", {}), path);

async function expectCleared(...paths: readonly string[]): Promise<void> {
  const others = async () => {
    // What was done before may be measured a moment later, on a busy machine.
    const since = Date.now() - 500;
    await pipeline.machine.run.ringing();
    return paths.map(alarmAt).filter(({ state, period }) => state(since + period * 1000) !== "OK");
  };
  await expect.poll(others, poll).toEqual([]);
  for (const path of paths) {
    expect(rung).toContain(path);
    cleared.add(path);
  }
}

/** Tells an alarm's metric of now, where its cause takes too long for a test. */
const tellMetric = (service: string, name: string, value: number) =>
  pipeline.machine.run.metrics.put({
    namespace: "scorecard-pipeline-test",
    name,
    dimensions: { service },
    value,
    at: Date.now(),
  });

const submit = (ExternalID: string) =>
  pipeline.vendor(0).submit([minimalCard(pipeline.standIn, { ExternalID })]);

const expectDelivered = (externalIds: readonly string[], of = pipeline.vendor(0)) =>
  expect.poll(() => of.states(externalIds), poll).toEqual(externalIds.map(() => "delivered"));

/**
 * Breaks something until the test repairs it, or has ended: a test that fails must not make those after it fail.
 *
 * @returns repairs it
 */
async function breakUntilRepaired(set: (broken: boolean) => unknown): Promise<() => Promise<void>> {
  const repair = async () => void (await set(false));
  onTestFinished(repair);
  await set(true);
  return repair;
}

const beginOutage = () => breakUntilRepaired((outage) => Object.assign(pipeline.standIn.faults, { outage }));

/** Disables the triggers that read the delivery queue, as during an announced freeze of the union, or the table's stream. */
const disableTriggers = (source: "DeliveryQueue" | "ScorecardTable") =>
  breakUntilRepaired(async (disabled) => {
    const { EventSourceMappings = [] } = await lambda.send(new ListEventSourceMappingsCommand({}));
    const found = EventSourceMappings.filter(({ EventSourceArn }) => EventSourceArn?.includes(source));
    expect(found).not.toEqual([]);
    for (const { UUID } of found)
      await lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: !disabled }));
  });

test("no alarm rings while all is well, by the settings that are deployed", async () => {
  const assembly = await assemblyOf({ ...settings.test, usagePlans: hurried.usagePlans });
  const well = await startPipeline({ assembly });
  onTestFinished(() => well.stop());
  await well.vendor(0).submit([minimalCard(well.standIn, { ExternalID: "well" })]);
  await expect.poll(() => well.vendor(0).states(["well"])).toEqual(["delivered"]);
  expect(await well.machine.run.ringing()).toEqual([]);
});

test("an alarm rings when the messages of waiting cards were lost, and the cards are delivered", async () => {
  const { run } = pipeline.machine;
  const sqs = client(SQSClient, run.sqs);
  onTestFinished(() => sqs.destroy());
  const elsewhere = run.resource("DeadLetterQueue");
  await acceptLongAgo(
    run,
    pipeline.vendor(0).account.apiSet,
    [minimalCard(pipeline.standIn, { ExternalID: "lost" })],
    elsewhere,
  );
  await sqs.send(new PurgeQueueCommand({ QueueUrl: elsewhere }));
  // The lists of the table's stream come a moment later, and the schedule may be first to wake the card.
  const statesAfterWaking = async () => {
    await run.invoke("wake-waiting-cards", {});
    return pipeline.vendor(0).states(["lost"]);
  };
  await expect.poll(statesAfterWaking, poll).toEqual(["delivered"]);
  await expectRinging("WaitingCards/WakeUpsLostAlarm");
  await expect.poll(() => run.invoke("wake-waiting-cards", {}), poll).toEqual({ woken: 0 });
  await expectCleared("WaitingCards/WakeUpsLostAlarm");
});

// What these count takes too long for a test, or the simulation has it. Here the alarms are told of their metrics.
test.each([
  ["Delivery/RejectedAlarm", "deliver-scorecards", "CardsRejected", 4, 1, "CardsDelivered", 1_000],
  // No more than needed: the alarm of missing cards counts them, too.
  ["RecordCheck/RecordsUncheckableAlarm", "check-records", "RecordsUncheckable", 9, 1, "RecordsFound", 200],
  [
    "Outcomes/OutcomesLateAlarm",
    "follow-outcomes",
    "OutcomesLateAge",
    lateOutcomes - 1,
    lateOutcomes,
    undefined,
    0,
  ],
] as const)(
  "%s does not ring for what it does not wait for, and clears",
  async (path, service, name, few, more, good, many) => {
    const since = Date.now();
    tellMetric(service, name, few);
    expect(await stateSince(path, since)).toBe("OK");
    tellMetric(service, name, more);
    await expectRinging(path);
    if (good !== undefined) tellMetric(service, good, many);
    await expectCleared(path);
  },
);

test("alarms ring when cards are refused because a wrong rating was mirrored, and not for a few wrong cards among many", async () => {
  const [version] = pipeline.standIn.courses;
  const [tee] = version?.Tees ?? [];
  if (version === undefined || tee === undefined) throw new Error("The union has no tee.");
  const card = minimalCard(pipeline.standIn, { ExternalID: "rated" });
  const { CourseRating } = tee;
  const wrong = (count: number) =>
    Array.from({ length: count }, (_, place) => ({
      ...card,
      ExternalID: `rated ${place}`,
      Course: {
        CourseID: version.ID,
        ClubID: version.ClubID,
        TeeID: tee.ID,
        TeeRating: Number(CourseRating) + 5_000,
      },
    }));
  const began = Date.now();
  await pipeline.vendor(0).submit(wrong(4));
  expect(await stateSince("Submission/TeeNumbersRefusedAlarm", began)).toBe("OK");
  expect((await pipeline.vendor(0).submit(wrong(20))).status).toBe(422);
  await expectRinging("Submission/RefusedAlarm");
  await expectRinging("Submission/TeeNumbersRefusedAlarm");
  await expectCleared("Submission/RefusedAlarm", "Submission/TeeNumbersRefusedAlarm");

  const since = Date.now();
  const count = (name: string, value: number) => tellMetric("submit-scorecards", name, value);
  count("CardsRefused", 100);
  count("CardsAccepted", 1_000);
  expect(await stateSince("Submission/RefusedAlarm", since)).toBe("OK");
});

test("alarms ring when cards are delivered late, and clear when they are few of many", async () => {
  const [fast, slow] = ["WaitingCards/FastBurnAlarm", "WaitingCards/SlowBurnAlarm"] as const;
  const { run } = pipeline.machine;
  await submit("delivered in time");
  await expectDelivered(["delivered in time"]);
  // A test above has told of a thousand cards that were delivered.
  const late = Array.from({ length: 20 }, (_, place) => `delivered late ${place}`);
  const cards = late.map((ExternalID) => minimalCard(pipeline.standIn, { ExternalID }));
  await acceptLongAgo(run, pipeline.vendor(0).account.apiSet, cards);
  await expectDelivered(late);
  await expect.poll(() => stateAfterMeasuring(fast), poll).toBe("ALARM");
  await expectRinging(fast);
  await expectRinging(slow);

  tellMetric("deliver-scorecards", "CardsDelivered", 1_000_000);
  for (const path of [fast, slow]) {
    await expect.poll(() => stateAfterMeasuring(path), poll).toBe("OK");
    cleared.add(path);
  }
});

test("an alarm rings when a vendor that has sent cards at this hour for four weeks sends none, and when it sends far too many", async () => {
  const path = "WaitingCards/VendorSilentAlarm";
  const { run } = pipeline.machine;
  const { timeZone } = settings.test.union;
  const dynamodb = client(DynamoDBClient, run.dynamodb);
  onTestFinished(() => dynamodb.destroy());
  const activity = activityWriter(run.outputs.ActivityTableName ?? "", dynamodb, 90);
  const apiSet = pipeline.vendor(1).account.apiSet as ApiSet;
  const sentAt = hourOf(Date.now() - day / 8, timeZone);
  const count = (hour: number, accepted: number) => {
    const steps = [{ sequenceNumber: String(Date.now()), counts: { accepted } }];
    return activity.count([{ apiSet, hour, steps }], "shard-of-this-test");
  };
  for (const weeks of [1, 2, 3, 4]) {
    await count(instantOf(wallClockAt(sentAt, timeZone) - weeks * 7 * day, timeZone), 40);
  }
  await expect.poll(() => stateAfterMeasuring(path), poll).toBe("ALARM");
  await expectRinging(path);

  await count(sentAt, 40);
  await expect.poll(() => stateAfterMeasuring(path), poll).toBe("OK");
  cleared.add(path);

  await count(sentAt, 5_000);
  await expect.poll(() => stateAfterMeasuring(path), poll).toBe("ALARM");
  await count(sentAt, -5_000);
  await expect.poll(() => stateAfterMeasuring(path), poll).toBe("OK");
});

test("alarms ring while cards wait in the queue and delivery has stopped, and at the end of that day", async () => {
  const since = Date.now();
  await submit("before");
  await expectDelivered(["before"]);
  const release = await disableTriggers("DeliveryQueue");
  await submit("held");
  await expectRinging("Delivery/OldestCardAlarm");
  await expect.poll(() => stateSince("Delivery/StoppedAlarm", Date.now() - 500), poll).toBe("ALARM");
  expect(await stateSince("Delivery/StoppedAlarm", since)).toBe("OK");
  rung.add("Delivery/StoppedAlarm");
  await pipeline.machine.run.invoke("measure-unsent", {});
  await expectRinging("UnsentCards/UnsentAlarm");

  await release();
  await expectDelivered(["held"]);
  await expectCleared("Delivery/OldestCardAlarm", "Delivery/StoppedAlarm");
  await pipeline.machine.run.invoke("measure-unsent", {});
  await expectCleared("UnsentCards/UnsentAlarm");
});

test("a hold in the middle of an outage does not hide that cards wait", async () => {
  const endOutage = await beginOutage();
  await submit("outage, then held");
  await expectRinging("Delivery/OldestCardAlarm");
  const release = await disableTriggers("DeliveryQueue");
  // The card's message comes back some seconds later.
  await expect.poll(() => stateSince("Delivery/StoppedAlarm", Date.now() - 500), poll).toBe("ALARM");
  await endOutage();
  await release();
  await expectDelivered(["outage, then held"]);
});

test("alarms ring when the exchange is down, and when cards have been tried for too long or were given up", async () => {
  const endOutage = await beginOutage();
  const { apiSet } = pipeline.vendor(0).account;
  await tryLongAgo(pipeline.machine.run, apiSet, [minimalCard(pipeline.standIn, { ExternalID: "given-up" })]);
  await expectRinging("Delivery/UndeliveredAlarm");
  await submit("outage-1");
  await submit("outage-2");
  await expectRinging("Delivery/OldestCardAlarm");
  await expectRinging("Delivery/ExchangeFailingAlarm");

  await endOutage();
  await expectDelivered(["outage-1", "outage-2"]);
  await expectCleared("Delivery/UndeliveredAlarm", "Delivery/OldestCardAlarm");
  const exchange = alarmAt("Delivery/ExchangeFailingAlarm").metrics[0];
  const afterAnother = async () => {
    const since = Date.now();
    await submit(`after the outage ${since}`);
    await expectDelivered([`after the outage ${since}`]);
    const state = await stateSince("Delivery/ExchangeFailingAlarm", since);
    return [state, exchange && pipeline.machine.run.metrics.values(exchange, since, Date.now()).at(0)];
  };
  await expect.poll(afterAnother, poll).toEqual(["OK", 0]);
  cleared.add("Delivery/ExchangeFailingAlarm");
});

test("an alarm rings when nothing can be mirrored any more, or is not at all", async () => {
  const endOutage = await beginOutage();
  const path = "Mirror/MirrorStaleAlarm";
  const mirror = () =>
    pipeline.machine.run.invoke("mirror-courses", { pass: "changes" }).catch(() => undefined);
  // It watches the lowest age of its period, which still has the good syncs from before.
  await expect.poll(() => stateAfter(mirror, path), poll).toBe("ALARM");
  rung.add(path);
  expect(alarmAt(path).state(Date.now() + day)).toBe("ALARM");

  await endOutage();
  await expect.poll(() => stateAfter(mirror, path), poll).toBe("OK");
  cleared.add(path);
});

test("an alarm rings while a club's list has an entry that cannot be mirrored", async () => {
  const [version] = pipeline.standIn.courses;
  if (version === undefined) throw new Error("The union has no course.");
  const entry = { ...version, ID: "no GUID" };
  const sync = () => pipeline.machine.run.invoke("mirror-courses", { pass: "changes" });
  const repair = await breakUntilRepaired((broken) => {
    if (!broken) entry.ID = randomUUID();
    pipeline.standIn.publish(broken ? entry : version);
  });
  await sync();
  await expectRinging("Mirror/MirrorSkipsAlarm");

  await repair();
  await expect.poll(() => stateAfter(sync, "Mirror/MirrorSkipsAlarm"), poll).toBe("OK");
  cleared.add("Mirror/MirrorSkipsAlarm");
});

test("an alarm rings while the union's list lacks clubs that only an operator can have removed", async () => {
  const sync = () => pipeline.machine.run.invoke("mirror-courses", { pass: "changes" });
  const { run } = pipeline.machine;
  const table = clubTable(run.outputs.ClubTableName ?? "", client(DynamoDBClient, run.dynamodb));
  const ids = ["a1", "a2", "a3"].map((end) => guidKey(`0f1cdb43-5d0c-4d8f-9a55-1b3e5b8c00${end}`));
  const clubs = ids.map((id) => ({ id, text: JSON.stringify({ ID: id, UnionNumber: 900, Name: "Gone" }) }));
  const repair = await breakUntilRepaired((broken) => (broken ? table.put(clubs) : table.remove(ids)));
  await sync();
  await expectRinging("Mirror/MirrorUnlistedAlarm");

  await repair();
  await expect.poll(() => stateAfter(sync, "Mirror/MirrorUnlistedAlarm"), poll).toBe("OK");
  cleared.add("Mirror/MirrorUnlistedAlarm");
});

test("an alarm rings when the daily count of unsent cards was missed twice, and clears with the next one", async () => {
  const path = "UnsentCards/UncountedAlarm";
  const alarm = alarmAt(path);
  const count = () => pipeline.machine.run.invoke("measure-unsent", {});
  await count();
  const ranAt = Date.now();
  expect([alarm.state(ranAt), alarm.state(ranAt + 1.5 * day)]).toEqual(["OK", "OK"]);
  expect(alarm.state(ranAt + 2.5 * day)).toBe("ALARM");
  rung.add(path);
  await count();
  expect(await stateSince(path, ranAt)).toBe("OK");
  cleared.add(path);
});

/** Stores credentials of a vendor that the union refuses. */
const storeWrongCredentials = ({ account: { apiSet, username, password } }: Vendor) =>
  breakUntilRepaired(async (wrong) => {
    const secrets = client(SecretsManagerClient, pipeline.machine.run.secretsManager);
    const credentials = wrong ? { username: "nobody", password: "wrong" } : { username, password };
    const SecretString = JSON.stringify({ ...credentials, apiSet, token: "" });
    await secrets.send(
      new PutSecretValueCommand({ SecretId: `scorecards/test/vendor/${apiSet}`, SecretString }),
    );
    secrets.destroy();
  });

test("an alarm rings when the union refuses a vendor's credentials", async () => {
  const repair = await storeWrongCredentials(pipeline.vendor(1));
  await pipeline.vendor(1).submit([minimalCard(pipeline.standIn, { ExternalID: "refused" })]);
  await expectRinging("Delivery/CredentialsRefusedAlarm");

  await repair();
  await expectDelivered(["refused"], pipeline.vendor(1));
  await expectCleared("Delivery/CredentialsRefusedAlarm");
});

test("an alarm rings when the exchange answers with success and does not show that it has a card", async () => {
  const repair = await breakUntilRepaired((broken) =>
    Object.assign(pipeline.standIn.faults, { refuseIn2xx: broken ? { unclear: "message" } : {} }),
  );
  await pipeline.vendor(0).submit([minimalCard(pipeline.standIn, { ExternalID: "unclear" })]);
  await expectRinging("Delivery/UnknownAnswersAlarm");
  await repair();
  await expectCleared("Delivery/UnknownAnswersAlarm");
});

test("an alarm rings when a message cannot be read for so long that it is a dead letter", async () => {
  const { run } = pipeline.machine;
  const sqs = client(SQSClient, run.sqs);
  onTestFinished(() => sqs.destroy());
  const QueueUrl = run.resource("DeadLetterQueue");
  // A message is received for an hour before the queue moves it, which nobody waits for here.
  const purge = await breakUntilRepaired((broken) =>
    broken
      ? sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: "not a wake-up" }))
      : sqs.send(new PurgeQueueCommand({ QueueUrl })),
  );
  await expectRinging("Delivery/DeadLettersAlarm");
  await purge();
  await expectCleared("Delivery/DeadLettersAlarm");
});

const checkRecords = () => pipeline.machine.run.invoke("check-records", {});

test("an alarm rings when a vendor's cards cannot be looked for, and clears when they can", async () => {
  const path = "RecordCheck/RecordChecksLateAlarm";
  const vendor = pipeline.vendor(1);
  await vendor.submit([minimalCard(pipeline.standIn, { ExternalID: "looked for late" })]);
  await expectDelivered(["looked for late"], vendor);
  const repair = await storeWrongCredentials(vendor);
  const stateAfterCheck = () => stateAfter(checkRecords, path);
  await expect.poll(stateAfterCheck, poll).toBe("ALARM");
  rung.add(path);

  await repair();
  // On a busy machine a card that is due meanwhile may be late in the first run.
  await expect.poll(stateAfterCheck, poll).toBe("OK");
  cleared.add(path);
});

test("an alarm rings when players are checked hours after their cards were delivered", async () => {
  const path = "PlayerCheck/PlayerCheckLateAlarm";
  const [age] = alarmAt(path).metrics;
  if (age === undefined) throw new Error("The alarm watches no metric.");
  pipeline.machine.run.metrics.put({ ...age, value: 3 * 3_600_000, at: Date.now() });
  await expectRinging(path);
  await expectCleared(path);
});

test("an alarm rings when too many cards are not in the players' records", async () => {
  const path = "RecordCheck/NotRecordedAlarm";
  const names = Array.from({ length: 100 }, (_, place) => `to be recorded ${place}`);
  // A round of the same player at the same time would be taken for theirs.
  const cards = names.map((ExternalID, place) => {
    const card = minimalCard(pipeline.standIn, { ExternalID });
    const StartTime = card.Round.StartTime.replace(
      /T.*/,
      `T11${String(place % 50).padStart(2, "0")}${place < 50 ? "00" : "30"}`,
    );
    return { ...card, Round: { ...card.Round, StartTime } };
  });
  // Cards are missing only if most are found, in each run: otherwise the record cannot be read as it should.
  const missing = names.filter((_, place) => place % 5 === 0);
  await breakUntilRepaired((broken) =>
    Object.assign(pipeline.standIn.faults, { unprocessed: broken ? missing : [] }),
  );
  await pipeline.vendor(0).submit(cards);
  await expectDelivered(names);
  await expect
    .poll(async () => {
      await checkRecords();
      return ringing();
    }, poll)
    .toContain(path);
  rung.add(path);
  await expectCleared(path);
});

test("an alarm rings when a vendor's webhook endpoint is gone, and clears without another", async () => {
  const vendor = pipeline.vendor(1);
  const gone = await startEndpoint(() => ({ status: 410 }));
  onTestFinished(() => gone.stop());
  const made = await vendor.ask("POST", "Webhooks", JSON.stringify({ url: gone.url }));
  onTestFinished(async () => {
    await vendor.ask("DELETE", `Webhooks/${made.body.id}`);
  });
  await vendor.submit([minimalCard(pipeline.standIn, { ExternalID: "told to nobody" })]);
  await expectRinging("Webhooks/WebhooksAlarm");
  await expectCleared("Webhooks/WebhooksAlarm");
});

test("an alarm rings when outcomes are published too late, and clears with those that are in time", async () => {
  const enable = await disableTriggers("ScorecardTable");
  const begun = Date.now();
  await submit("published late");
  await expectDelivered(["published late"]);
  await expect.poll(() => Date.now() - begun, poll).toBeGreaterThan(1_000 * lateOutcomes + 2_000);
  await enable();
  await expectRinging("Outcomes/OutcomesLateAlarm");
  await submit("published in time");
  await expectDelivered(["published in time"]);
  await expectCleared("Outcomes/OutcomesLateAlarm");
});

test("an alarm rings when outcomes are recorded and nobody reads them, and clears when they are read again", () => {
  const path = "Outcomes/OutcomesUnreadAlarm";
  const { metrics, resource } = pipeline.machine.run;
  const alarm = alarmAt(path);
  const period = alarm.period * 1_000;
  const delivered = { name: "CardsDelivered", dimensions: { service: "deliver-scorecards" } };
  const runs = { name: "Invocations", dimensions: { FunctionName: resource("follow-outcomes") } };
  // Half an hour is too long for a test. Here the alarm is told of its metrics, of a later day.
  let at = Math.ceil((Date.now() + day) / period) * period;
  const stateAfter = (isRead: boolean) => {
    metrics.put({ namespace: "scorecard-pipeline-test", ...delivered, value: 1, at: at + 1_000 });
    if (isRead) metrics.put({ namespace: "AWS/Lambda", ...runs, value: 1, at: at + 1_000 });
    at += period;
    return alarm.state(at);
  };
  expect([true, false, false, true, true, true].map(stateAfter)).toEqual([
    "OK",
    "OK",
    "ALARM",
    "ALARM",
    "ALARM",
    "OK",
  ]);
  rung.add(path);
  cleared.add(path);
});

/** Has every run of a function throttled. */
const throttle = (FunctionName: string) =>
  breakUntilRepaired((throttled) =>
    lambda.send(
      new PutFunctionConcurrencyCommand({ FunctionName, ReservedConcurrentExecutions: throttled ? 0 : 10 }),
    ),
  );

/** The states of an alarm if what happened since a moment happens in each of the following periods. */
function statesIfRepeated(path: string, since: number, periods: number) {
  const { metrics } = pipeline.machine.run;
  const { metrics: watched, period, state } = alarmAt(path);
  const now = Date.now();
  const happened = watched.flatMap((metric) =>
    metrics.values(metric, since, now).map((value) => ({ ...metric, value })),
  );
  return Array.from({ length: periods }, (_, place) => {
    const begins = now + place * period * 1_000;
    for (const one of happened) metrics.put({ ...one, at: begins + 1 });
    return state(begins + period * 1_000);
  });
}

/** Beside ApiFailing, the alarms that roll a canary back; test/lib/rollout.test.ts has them, too. */
const ofCanary = [
  "Monitoring/FunctionsCrashAlarm",
  "Monitoring/FunctionsThrottledAlarm",
  "Submission/RefusedAlarm",
  "Delivery/DeadLettersAlarm",
  "Delivery/RejectedAlarm",
  "WaitingCards/FastBurnAlarm",
];

test("an alarm rings when the API fails, and not in five hours in which only the union does: then a canary goes through", async () => {
  const path = "Monitoring/ApiFailingAlarm";
  const periods = (of: string) => (5 * 3_600) / alarmAt(of).period;
  const endOutage = await beginOutage();
  const [card] = [minimalCard(pipeline.standIn, { ExternalID: "on an unknown course" })];
  const unknown = { ...card, Course: { ...card?.Course, CourseID: randomUUID() } };
  const outageSince = Date.now();
  const asked = [
    ...Array.from({ length: 20 }, () => pipeline.vendor(0).ask("GET", "Clubs/Golfer?unionID=32-1")),
    pipeline.vendor(0).submit([unknown]),
  ];
  const failed = (await Promise.all(asked)).map(({ status }) => status);
  expect([...new Set(failed)].sort()).toEqual([502, 503]);
  const unions = () => {
    const [, ...metrics] = alarmAt(path).metrics;
    return metrics.flatMap((one) => pipeline.machine.run.metrics.values(one, outageSince, Date.now())).length;
  };
  await expect.poll(unions, poll).toBe(failed.length);
  const waiting = Array.from({ length: 20 }, (_, place) => `waits for the union ${place}`);
  for (const one of waiting) await submit(one);
  await expect
    .poll(() => pipeline.vendor(0).states(waiting), poll)
    .toEqual(waiting.map(() => expect.stringMatching(/^(queued|retrying)$/)));
  await pipeline.machine.run.invoke("wake-waiting-cards", {});
  for (const silent of [path, ...ofCanary])
    expect([silent, ...new Set(statesIfRepeated(silent, outageSince, periods(silent)))]).toEqual([
      silent,
      "OK",
    ]);

  // A failure of ours shows in spite of the outage.
  const repair = await throttle(pipeline.machine.run.resource("Reading/read-courses"));
  const ours = Array.from({ length: 20 }, () => pipeline.vendor(0).ask("GET", "Clubs"));
  for (const { status } of await Promise.all(ours)) expect(status).toBeGreaterThanOrEqual(500);
  expect(statesIfRepeated(path, outageSince, 2).at(-1)).toBe("ALARM");
  rung.add(path);
  await repair();
  await endOutage();
  const repairedSince = Date.now();
  expect((await pipeline.vendor(0).ask("GET", "Clubs")).status).toBe(200);
  expect(statesIfRepeated(path, repairedSince, 2).at(-1)).toBe("OK");
  cleared.add(path);
});

test("alarms ring when a function in the background crashes, and when a function is throttled", async () => {
  const { run } = pipeline.machine;
  const [crashing, throttled] = ["Monitoring/FunctionsCrashAlarm", "Monitoring/FunctionsThrottledAlarm"];
  for (let crash = 0; crash < 3; crash++) {
    const invoked = run.invoke("measure-unsent", {}).catch(() => undefined);
    expect(run.killEnvironment("measure-unsent")).toBe(true);
    await invoked;
  }
  const FunctionName = run.resource("authorize");
  const repair = await throttle(FunctionName);
  await expect(lambda.send(new InvokeCommand({ FunctionName, Payload: "{}" }))).rejects.toThrow();
  await repair();
  await expectRinging(crashing, throttled);
  await expectCleared(crashing, throttled);
  // Each function by itself, at a later time.
  for (const path of [crashing, throttled]) {
    const { metrics, period, state } = alarmAt(path);
    expect(metrics.length).toBeGreaterThan(7);
    for (const [place, metric] of metrics.entries()) {
      const at = Date.now() + (place + 1) * day;
      run.metrics.put({ ...metric, value: 3, at });
      expect(state(at + 1_000 * period - 1)).toBe("ALARM");
    }
  }
});

test("so every alarm has rung, and cleared", () => {
  const all = pipeline.machine.run.alarms.map(({ path }) => path).sort();
  expect([...rung].sort()).toEqual(all);
  expect([...cleared].sort()).toEqual(all);
});
