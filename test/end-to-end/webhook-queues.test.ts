import {
  CreateQueueCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  type Message,
  ReceiveMessageCommand,
} from "@aws-sdk/client-sqs";
import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { Webhook } from "svix";
import { expect, onTestFinished, test } from "vitest";
import { clientsOf } from "./local-clients.ts";
import { providePipeline, sharedPipelineWithNewVendors, type Vendor } from "./pipeline.ts";

const pipeline = await providePipeline(sharedPipelineWithNewVendors);
const { card } = pipeline;
const { sqs } = clientsOf(pipeline.machine.run);
const names = (name: string, count: number) =>
  Array.from({ length: count }, (_, place) => `${name} ${place}`);
const ask = (vendor: Vendor, method: string, path: string, body?: object) =>
  vendor.ask(method, path, body && JSON.stringify(body));
/** The role of a vendor's AWS account on the local run. */
const roleOf = ({ account: { apiSet } }: Vendor) =>
  `arn:aws:iam::000000000000:role/scorecard-events-${apiSet}`;

/** A queue of a vendor's own, for one test. */
async function createQueue(name: string, attributes: Record<string, string> = {}): Promise<string> {
  const isFifo = name.endsWith(".fifo");
  const { QueueUrl = "" } = await sqs.send(
    new CreateQueueCommand({
      QueueName: name,
      Attributes: { ...(isFifo && { FifoQueue: "true" }), ...attributes },
    }),
  );
  onTestFinished(async () => void (await sqs.send(new DeleteQueueCommand({ QueueUrl })).catch(() => {})));
  return QueueUrl;
}

async function subscribe(vendor: Vendor, url: string, more: object = {}) {
  const { status, body } = await ask(vendor, "POST", "Webhooks", { url, roleArn: roleOf(vendor), ...more });
  expect([status, body.detail]).toEqual([201, undefined]);
  onTestFinished(async () => void (await ask(vendor, "DELETE", `Webhooks/${body.id}`)));
  return body as { readonly id: string; readonly secret: string; readonly roleArn: string };
}

async function receive(QueueUrl: string): Promise<readonly Message[]> {
  const request = { QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 1, MessageAttributeNames: ["All"] };
  const { Messages = [] } = await sqs.send(
    new ReceiveMessageCommand({ ...request, MessageSystemAttributeNames: ["All"] }),
  );
  return Messages;
}

const remove = (QueueUrl: string, { ReceiptHandle }: Message) =>
  sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));

/** The messages of a queue, each taken out, until there are as many as wanted; an event that came twice counts once. */
async function take(url: string, wanted: number): Promise<Message[]> {
  const taken = new Map<string, Message>();
  await expect
    .poll(async () => {
      for (const message of await receive(url)) {
        taken.set(attribute(message, "webhook-id"), message);
        await remove(url, message);
      }
      return taken.size;
    })
    .toBeGreaterThanOrEqual(wanted);
  return [...taken.values()];
}

const eventOf = ({ Body = "" }: Message) => JSON.parse(Body);
const attribute = ({ MessageAttributes = {} }: Message, name: string) =>
  MessageAttributes[name]?.StringValue ?? "";

test("outcomes come to a vendor's own queue, one card a message, signed, and to nobody else's", async () => {
  const [vendor, other] = [pipeline.vendor(0), pipeline.vendor(1)];
  const own = await createQueue("own");
  const foreign = await createQueue("foreign");
  const { secret, roleArn } = await subscribe(vendor, own, { headers: { stage: "local" } });
  expect(roleArn).toBe(roleOf(vendor));
  await subscribe(other, foreign);
  await vendor.submit(names("own", 12).map((name) => card(name)));
  const messages = await take(own, 12);
  expect(messages.flatMap((message) => eventOf(message).data.cards.map(nameOf)).sort()).toEqual(
    names("own", 12).sort(),
  );
  for (const message of messages) {
    expect(eventOf(message)).toMatchObject({
      type: "scorecard.delivered",
      data: { apiSet: vendor.account.apiSet },
    });
    const signed = ["webhook-id", "webhook-timestamp", "webhook-signature"];
    const headers = Object.fromEntries(signed.map((name) => [name, attribute(message, name)]));
    new Webhook(secret).verify(message.Body ?? "", headers);
    expect(attribute(message, "stage")).toBe("local");
  }
  expect(await receive(foreign)).toEqual([]);
});
const nameOf = ({ externalId }: { readonly externalId: string }) => externalId;

test("a queue whose role does not ask for the external ID is refused, in a change, too", async () => {
  const vendor = pipeline.vendor(0);
  const url = await createQueue("open");
  const roleArn = roleOf(vendor).replace(vendor.account.apiSet, "open");
  const refused = { status: 400, body: { title: "Role is open" } };
  expect(await ask(vendor, "POST", "Webhooks", { url, roleArn })).toMatchObject(refused);
  const { id } = await subscribe(vendor, url);
  expect(await ask(vendor, "PUT", `Webhooks/${id}`, { roleArn })).toMatchObject(refused);
});

test("a consumer of a FIFO queue that is killed at random sees each outcome, in the order of its card", async () => {
  const vendor = pipeline.vendor(0);
  const random = seededRandom(7);
  const url = await createQueue("ordered.fifo", { VisibilityTimeout: "1" });
  await subscribe(vendor, url, { types: ["scorecard.delivered"] });
  const cards = names("ordered", 20);
  await vendor.submit(cards.map((name) => card(name)));
  await expect.poll(() => vendor.states(cards)).toEqual(cards.map(() => "delivered"));
  await vendor.submit(cards.map((name) => card(name, { Comment: "corrected" })));

  const seen = new Map<string, number[]>(cards.map((name) => [name, []]));
  const isComplete = () =>
    [...seen.values()].every((versions) => [1, 2].every((one) => versions.includes(one)));
  let deaths = 0;
  for (const end = Date.now() + 400_000; !isComplete() && Date.now() < end; ) {
    for (const message of await receive(url)) {
      const [told] = eventOf(message).data.cards;
      seen.get(told.externalId)?.push(told.version);
      // It dies after its work, before it has removed the message, and its other messages come back.
      if (random.chance(0.2)) {
        deaths += 1;
        break;
      }
      await remove(url, message);
    }
  }
  expect(deaths).toBeGreaterThan(3);
  for (const versions of seen.values()) {
    expect(versions.toSorted()).toEqual(versions);
    expect([...new Set(versions)]).toEqual([1, 2]);
  }
});

test("a vendor that names another's role is refused by it, and reads why", async () => {
  const [vendor, other] = [pipeline.vendor(0), pipeline.vendor(1)];
  const url = await createQueue("deputy");
  const { id } = await subscribe(other, url, { roleArn: roleOf(vendor), types: ["scorecard.delivered"] });
  const attempts = async () => (await ask(other, "GET", `Webhooks/${id}/Attempts`)).body.attempts;
  expect((await ask(other, "POST", `Webhooks/${id}/Test`)).status).toBe(202);
  await expect
    .poll(async () => (await attempts())[0])
    .toMatchObject({
      ...{ type: "webhook.test", taken: false },
      message:
        "The role cannot be assumed (AccessDenied). Its trust policy has to name our account and your external ID.",
    });
  await other.submit([card("deputy")]);
  await expect
    .poll(async () => (await ask(other, "GET", `Webhooks/${id}`)).body)
    .toMatchObject({
      state: "failing",
      pending: 1,
      failing: { message: expect.stringContaining("AccessDenied") },
    });
  expect(await receive(url)).toEqual([]);

  // Once it has its own role, what waited arrives.
  const changed = await ask(other, "PUT", `Webhooks/${id}`, { roleArn: roleOf(other) });
  expect(changed.body).toMatchObject({ state: "active", roleArn: roleOf(other) });
  const [message] = await take(url, 1);
  expect(message && eventOf(message).data.cards[0].externalId).toBe("deputy");
  await expect.poll(async () => (await ask(other, "GET", `Webhooks/${id}`)).body.pending).toBe(0);

  const { queues } = (await ask(other, "GET", "Webhooks")).body;
  expect(queues).toEqual({
    principal: "arn:aws:iam::000000000000:root",
    externalId: `scorecard-pipeline-test:${other.account.apiSet}`,
    roleNamePrefix: "scorecard-events",
  });
});
