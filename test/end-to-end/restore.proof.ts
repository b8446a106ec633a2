import {
  BatchWriteItemCommand,
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  PutItemCommand,
  paginateScan,
} from "@aws-sdk/client-dynamodb";
import { PurgeQueueCommand } from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { restoreItems } from "../../command/backup/restore-items.ts";
import { type BackedUp, backedUp } from "../../command/base/backed-up.ts";
import type { Item } from "../../core/aws/batch.ts";
import { packJson } from "../../core/aws/packed-json.ts";
import { restoredBy } from "../../core/aws/restored-item.ts";
import { dayOf } from "../../core/formats/union-time.ts";
import { settings } from "../../lib/settings.ts";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { startEndpoint, type VendorEndpoint } from "../../local/pipeline/webhook-endpoint.ts";
import { type CommandLine, commandLine } from "../command/run-command.ts";
import { hurried } from "../hurried-settings.ts";
import { assemblyOf } from "../synthesized-stack.ts";
import { type Deployed, type LastingEngines, startLastingEngines } from "./lasting-engines.ts";
import { readPages, type Vendor } from "./pipeline.ts";

let engines: LastingEngines;

beforeAll(async () => {
  engines = await startLastingEngines();
});
afterAll(() => engines?.stop());

const kinds = ["accounts", "webhooks", "counts", "cards"] as const satisfies readonly BackedUp[];
const names = (name: string, count: number) =>
  Array.from({ length: count }, (_, place) => `${name}-${place}`);
const submit = async (vendor: Vendor, externalIds: readonly string[]) => {
  const answer = await vendor.submit(
    externalIds.map((ExternalID) => minimalCard(engines.standIn, { ExternalID })),
  );
  expect(answer.status).toBe(201);
};

/** Deploys a version for the time of a test. */
async function deploy(assembly: string): Promise<Deployed & { readonly command: CommandLine }> {
  const deployed = await engines.deploy(assembly);
  const command = await commandLine(deployed);
  let isStopped = false;
  const stop = async () => {
    if (isStopped) return;
    isStopped = true;
    await command.stop();
    await deployed.stop();
  };
  onTestFinished(stop);
  return { ...deployed, command, stop };
}

const tableOf = ({ machine }: Deployed, data: BackedUp) => machine.run.outputs[backedUp[data].output] ?? "";

async function itemsOf(client: DynamoDBClient, TableName: string): Promise<Item[]> {
  const items: Item[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    items.push(...Items);
  }
  return items;
}

/** What DynamoDB restores of a table: a table of another name with the same key and items. */
async function backUp(client: DynamoDBClient, table: string, restored: string): Promise<void> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName: table }));
  const keys = Table?.KeySchema?.map(({ AttributeName }) => AttributeName);
  await client.send(
    new CreateTableCommand({
      TableName: restored,
      KeySchema: Table?.KeySchema,
      AttributeDefinitions: Table?.AttributeDefinitions?.filter(({ AttributeName }) =>
        keys?.includes(AttributeName),
      ),
      BillingMode: "PAY_PER_REQUEST",
    }),
  );
  const items = await itemsOf(client, table);
  for (let from = 0; from < items.length; from += 25) {
    const requests = items.slice(from, from + 25).map((item) => ({ PutRequest: { Item: item } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [restored]: requests } }));
  }
}

const sorted = (items: readonly Item[]) =>
  items.map(({ [restoredBy]: _restore, ...item }) => JSON.stringify(item)).toSorted();

/** What a vendor is told of its cards: counts, and the list of the day. */
async function seenBy(vendor: Vendor) {
  const day = dayOf(Date.now(), settings.test.union.timeZone);
  // The day before as well, if midnight passes during the test.
  const from = dayOf(Date.now() - 3_600_000, settings.test.union.timeZone);
  const { body } = await vendor.ask("GET", `Activity?from=${from}&to=${day}`);
  const listed = await readPages(vendor, `ScorecardExchange?from=${from}`, "cards");
  const { accepted, delivered, corrected, rejected, withdrawn } = body.totals;
  return {
    counts: { accepted, delivered, corrected, rejected, withdrawn, waiting: body.waiting.cards },
    listed: listed.map(({ externalId }) => String(externalId)).toSorted(),
  };
}

/** The deliveries that an endpoint was told of, once for each time. */
const told = ({ received }: VendorEndpoint): string[] =>
  received
    .map(({ body }) => JSON.parse(body))
    .filter(({ type }) => type === "scorecard.delivered")
    .flatMap(({ data }) => data.cards)
    .map(({ externalId }: { externalId: string }) => externalId)
    .toSorted();

const posted = () =>
  engines.standIn.received.map(({ card }) => (card as { ExternalID: string }).ExternalID).toSorted();

test("after its tables were deleted and restored, a stage has the same counts and lists, tells nothing again, and delivers what waited", async () => {
  const { dynamodb, sqs, standIn } = engines;
  const endpoint = await startEndpoint();
  onTestFinished(() => endpoint.stop());

  // A stage with delivered cards, and with cards that an outage of the union holds up.
  const before = await deploy(await assemblyOf());
  const [vendor, other] = [before.vendor(0), before.vendor(1)];
  const subscribed = await vendor.ask("POST", "Webhooks", JSON.stringify({ url: endpoint.url }));
  expect(subscribed.status).toBe(201);
  const added = ["account", "add", "another-app", "--union-username", "fairway-live"];
  const union = { SCORECARDS_UNION_PASSWORD: "fairway-live-demo" };
  expect((await before.command.run(added, union)).code).toBe(0);
  const [delivered, waiting] = [names("delivered", 40), names("waiting", 8)];
  await submit(vendor, delivered);
  await submit(other, names("other", 3));
  await expect.poll(() => told(endpoint)).toEqual(delivered.toSorted());
  standIn.faults.outage = true;
  await submit(vendor, waiting);
  const lost = {
    counts: { accepted: 48, delivered: 40, corrected: 0, rejected: 0, withdrawn: 0, waiting: 8 },
    listed: [...delivered, ...waiting].toSorted(),
  };
  await expect.poll(() => seenBy(vendor)).toEqual(lost);
  await expect.poll(async () => (await seenBy(other)).counts.delivered).toBe(3);
  const types = () => endpoint.received.map(({ body }) => JSON.parse(body).type);
  await expect.poll(types).toContain("delivery.paused");

  // The tables are gone, with the wake-ups of the waiting cards. A backup may have what followed late then.
  await before.stop();
  const late = { apiSet: { S: "late:" }, at: { S: "shard" }, work: { B: packJson([]) } };
  await dynamodb.send(new PutItemCommand({ TableName: tableOf(before, "counts"), Item: late }));
  const content: Record<string, string[]> = {};
  for (const data of kinds) {
    const table = tableOf(before, data);
    content[data] = sorted(await itemsOf(dynamodb, table));
    await backUp(dynamodb, table, `restored-${data}`);
    await dynamodb.send(new DeleteTableCommand({ TableName: table }));
  }
  await sqs.send(new PurgeQueueCommand({ QueueUrl: before.machine.run.outputs.DeliveryQueueUrl }));

  // A setting makes new ones, and vendors go on before anything is restored.
  const tableGeneration = { cards: 2, activity: 2, accounts: 2, webhooks: 2 };
  const after = await deploy(await assemblyOf({ ...hurried, tableGeneration }));
  for (const data of kinds) expect(tableOf(after, data)).toBe(`${tableOf(before, data)}Generation2`);
  await submit(after.vendor(1), ["other-later"]);
  await expect.poll(async () => (await seenBy(after.vendor(1))).counts.accepted).toBe(1);

  // The cards are restored in three runs: one ends before it has woken a card up, one is interrupted.
  for (const data of ["accounts", "webhooks", "counts"] as const) {
    const taken = await after.command.run(["backup", "take-over", data, `restored-${data}`]);
    expect([taken.stderr, taken.code]).toEqual(["", 0]);
  }
  const options = {
    data: "cards",
    from: "restored-cards",
    to: tableOf(after, "cards"),
    replace: false,
    signal: new AbortController().signal,
    restored: async () => undefined,
    progress: () => undefined,
  } as const;
  const crashed = restoreItems(dynamodb, {
    ...options,
    restored: () => Promise.reject(new Error("The process ended.")),
  });
  await expect(crashed).rejects.toThrow("The process ended.");
  const stopped = new AbortController();
  stopped.abort();
  await expect(restoreItems(dynamodb, { ...options, signal: stopped.signal })).rejects.toThrow(
    "Run the same command again",
  );
  const taken = await after.command.run(["backup", "take-over", "cards", "restored-cards", "--json"]);
  const [counts] = taken.json;
  const all = content.cards?.length;
  expect([taken.code, counts.kept, counts.copied + counts.restoredBefore]).toEqual([0, 0, all]);
  expect(counts.wokenUp).toBe(8);
  expect(counts.restoredBefore).toBeGreaterThan(0);

  // Nothing has happened: the same counts and lists, endpoints and accounts, and no event.
  expect(await seenBy(after.vendor(0))).toEqual(lost);
  expect(sorted(await itemsOf(dynamodb, tableOf(after, "webhooks")))).toEqual(content.webhooks);
  const activity = sorted(await itemsOf(dynamodb, tableOf(after, "counts")));
  expect(activity.filter((item) => item.includes('"late:'))).toEqual([]);
  // A restored feed would have numbers that cursors have passed: it begins anew, and the old cursors are told so.
  expect(activity.filter((item) => item.includes(`${vendor.account.apiSet}#feed`))).toEqual([]);
  const accounts = sorted(await itemsOf(dynamodb, tableOf(after, "accounts")));
  expect(accounts.some((account) => account.includes("another-app"))).toBe(true);
  expect(accounts).toHaveLength(content.accounts?.length ?? 0);
  expect(told(endpoint)).toEqual(delivered.toSorted());

  // What waited is delivered, and only that is counted and told.
  standIn.faults.outage = false;
  await expect.poll(() => told(endpoint)).toEqual([...delivered, ...waiting].toSorted());
  await expect
    .poll(() => seenBy(after.vendor(0)))
    .toEqual({ ...lost, counts: { ...lost.counts, delivered: 48, waiting: 0 } });
  await expect
    .poll(() => seenBy(after.vendor(1)))
    .toMatchObject({
      counts: { accepted: 4, delivered: 4, waiting: 0 },
      listed: [...names("other", 3), "other-later"].toSorted(),
    });
  expect(posted()).toEqual([...delivered, ...waiting, ...names("other", 3), "other-later"].toSorted());
  await expect.poll(types).toContain("delivery.resumed");
  expect(types().filter((type) => type.startsWith("delivery."))).toEqual([
    "delivery.paused",
    "delivery.resumed",
  ]);
  expect(told(endpoint)).toEqual([...delivered, ...waiting].toSorted());
});
