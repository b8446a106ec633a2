import { readFileSync } from "node:fs";
import { type AttributeValue, BatchWriteItemCommand } from "@aws-sdk/client-dynamodb";
import { SendMessageCommand } from "@aws-sdk/client-sqs";
import { expect, test } from "vitest";
import { clientsOf } from "./local-clients.ts";
import { providePipeline, sharedPipelineWithNewVendors } from "./pipeline.ts";

const pipeline = await providePipeline(sharedPipelineWithNewVendors);
const vendor = pipeline.vendor(0);

/**
 * What release 0.2.0 left of a vendor during an outage of the union: its cards and circuit breaker, and the bodies of its wake-ups.
 * `upgrade.proof.ts` runs the release itself.
 */
function storedByRelease(apiSet: string): {
  readonly items: Record<string, AttributeValue>[];
  readonly messages: string[];
} {
  const storedAt = 1_795_851_060_000;
  const age = Date.now() - storedAt;
  const text = readFileSync("test/end-to-end/stored-by-0.2.0.json", "utf8")
    .replaceAll("greens-app", apiSet)
    .replaceAll(/\b1795851\d{6}\b/g, (milliseconds) => String(Number(milliseconds) + age));
  return JSON.parse(text, (name, value) => (name === "B" ? Buffer.from(value, "base64") : value));
}

test("cards that wait in the tables and queue of the last release are delivered by this version", async () => {
  const { run } = pipeline.machine;
  const { items, messages } = storedByRelease(vendor.account.apiSet);
  const { dynamodb, sqs } = clientsOf(run);
  const requests = items.map((Item) => ({ PutRequest: { Item } }));
  await dynamodb.send(
    new BatchWriteItemCommand({ RequestItems: { [run.resource("ScorecardTable")]: requests } }),
  );
  const QueueUrl = run.resource("DeliveryQueue");
  for (const MessageBody of messages) await sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }));

  const names = ["queued", "retrying", "corrected", "delivered"];
  await expect.poll(() => vendor.states(names)).toEqual(names.map(() => "delivered"));
  const received = pipeline.standIn.received
    .filter(({ apiSet }) => apiSet === vendor.account.apiSet)
    .map(({ card }) => card as { ExternalID: string; Comment?: string });
  expect(new Set(received.map(({ ExternalID, Comment = "" }) => `${ExternalID} ${Comment}`))).toEqual(
    new Set(["queued ", "retrying ", "corrected corrected"]),
  );
  expect(await vendor.status("corrected")).toMatchObject({ version: 2, earlier: [{ state: "delivered" }] });
});
