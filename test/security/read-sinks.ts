import type { AttributeValue, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { unpackText } from "../../core/aws/packed-json.ts";
import { scanInSegments } from "../../core/aws/segmented-scan.ts";
import { clientsOf } from "../end-to-end/local-clients.ts";
import type { Pipeline } from "../end-to-end/pipeline.ts";

const tables = [
  "AccountTable",
  "ActivityTable",
  "ClubTable",
  "CourseTable",
  "ScorecardTable",
  "WebhookTable",
] as const;

/** A place of the local run at which something of a request can come to rest. */
export type Sink = (typeof tables)[number] | "queues" | "logs, mails and the bus" | "metrics";

function bytesText(bytes: Uint8Array): string {
  try {
    return unpackText(bytes);
  } catch {
    return Buffer.from(bytes).toString("latin1");
  }
}

const attributeText = (value: AttributeValue): string =>
  value.B === undefined ? JSON.stringify(Object.values(value)) : bytesText(value.B);

/** All that a table has, unpacked. */
async function tableText(dynamodb: DynamoDBClient, name: string): Promise<string> {
  const texts: string[] = [];
  await scanInSegments(dynamodb, name, async (items) => {
    for (const item of items)
      for (const [attribute, value] of Object.entries(item))
        texts.push(`${attribute}: ${attributeText(value)}`);
  });
  return texts.join("\n");
}

/** All messages that wait in queues, dead letters as well; they stay as they are. */
async function queuesText(engine: string): Promise<string> {
  const inspect = async (path: string) => (await fetch(`${engine}/_fauxqs/queues${path}`)).json();
  const queues = (await inspect("")) as { readonly name: string }[];
  const messages = await Promise.all(queues.map(({ name }) => inspect(`/${encodeURIComponent(name)}`)));
  return JSON.stringify(messages);
}

/** All that rests in the places of a local run. Traces, access logs and the firewall are judged by the template. */
export async function readSinks({ machine: { run }, logs }: Pipeline): Promise<ReadonlyMap<Sink, string>> {
  const { dynamodb } = clientsOf(run);
  const read = new Map<Sink, string>([
    ["logs, mails and the bus", logs.join("\n")],
    ["metrics", JSON.stringify(run.metrics.all())],
    ["queues", await queuesText(run.sqs)],
  ]);
  for (const table of tables) read.set(table, await tableText(dynamodb, run.resource(table)));
  return read;
}
