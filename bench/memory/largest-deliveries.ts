import {
  DeleteMessageBatchCommand,
  type Message,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { SQSRecord } from "aws-lambda";
import { settings } from "../../lib/settings.ts";
import { LOCAL_CREDENTIALS } from "../../local/place.ts";
import { eventsOf, sqsRecord } from "../../local/queues/sqs-event.ts";
import { postCards } from "../backlog.ts";
import type { FunctionsInFront } from "./functions-in-front.ts";
import { emptyObjects, incompressible, largeCards, playableCourses } from "./large-cards.ts";
import type { LargestInput } from "./largest-input.ts";
import { largestCards, largestPadding } from "./largest-submissions.ts";

const batches = 5;
const { batchSize } = settings.test.delivery;
/** With which a whole batch is just within Lambda's 6 MB. */
const paddingOfBatch = 55_000;

/** For deliver-scorecards: as many messages as a batch may have, and as large ones as there are. */
export function largestDeliveries(front: FunctionsInFront): LargestInput[] {
  const answered = /^\{"batchItemFailures":\[\]\}/;
  const input = (
    name: string,
    shape: { name: string; messages: number; Padding: unknown },
  ): LargestInput => ({
    name,
    events: () => waitingBatches(front, shape),
    answered,
  });
  return [
    input(`${batchSize} cards of 57 KB`, {
      name: "batch",
      messages: batchSize,
      Padding: incompressible(paddingOfBatch),
    }),
    input(`${largestCards} cards of 200 KB, text`, {
      name: "text-batch",
      messages: largestCards,
      Padding: incompressible(largestPadding),
    }),
    input(`${batchSize} cards of 200 KB, empty objects, which are packed small`, {
      name: "objects-batch",
      messages: batchSize,
      Padding: emptyObjects(largestPadding),
    }),
  ];
}

/** Submits cards, and takes their messages from the queue as the event source does. */
async function waitingBatches(
  { run, standIn, apiSet, authorization }: FunctionsInFront,
  { name, messages, Padding }: { name: string; messages: number; Padding: unknown },
): Promise<object[]> {
  const client = new SQSClient({ endpoint: run.sqs, region: run.region, credentials: LOCAL_CREDENTIALS });
  const QueueUrl = run.resource("DeliveryQueue");
  const queueArn = `arn:aws:sqs:${run.region}:000000000000:${QueueUrl.split("/").at(-1)}`;
  const courses = playableCourses(standIn, messages);
  const events: object[] = [];
  try {
    await client.send(new PurgeQueueCommand({ QueueUrl }));
    for (let batch = 0; batch < batches; batch++) {
      const cards = largeCards(standIn, courses, { name: `${name}-${batch}`, cards: messages, Padding });
      for (let start = 0; start < messages; start += largestCards) {
        const some = cards.slice(start, start + largestCards);
        await postCards(`${run.api}/${apiSet}/ScorecardExchange`, authorization, some);
      }
      const records: SQSRecord[] = [];
      while (records.length < messages) {
        const received = await receive(client, QueueUrl);
        records.push(...received.map((message) => sqsRecord(message, queueArn)));
      }
      const [only, ...others] = eventsOf(records);
      if (only === undefined || others.length > 0)
        throw new Error(`A batch of ${name} is more than one event.`);
      events.push(JSON.parse(only.event));
    }
  } finally {
    client.destroy();
  }
  return events;
}

async function receive(client: SQSClient, QueueUrl: string): Promise<Message[]> {
  const wanted = { MaxNumberOfMessages: 10, MessageSystemAttributeNames: ["All" as const] };
  const { Messages = [] } = await client.send(new ReceiveMessageCommand({ QueueUrl, ...wanted }));
  if (Messages.length === 0) return Messages;
  const Entries = Messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
  await client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
  return Messages;
}
