import {
  DeleteMessageBatchCommand,
  type Message,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { SQSRecord } from "aws-lambda";
import { mostCardsOfMessage } from "../../core/delivery/outgoing-messages.ts";
import { settings } from "../../lib/settings.ts";
import { localCredentials } from "../../local/place.ts";
import { eventsOf, sqsRecord } from "../../local/queues/sqs-event.ts";
import { postCards } from "../backlog.ts";
import type { FunctionsInFront } from "./functions-in-front.ts";
import { emptyObjects, incompressible, largeCards, playableCourses } from "./large-cards.ts";
import type { LargestInput } from "./largest-input.ts";
import { largestCards, largestPadding } from "./largest-submissions.ts";

const batches = 5;
const { batchSize } = settings.test.delivery;
/** The padding with which a whole batch is just within Lambda's 6 MB. */
const paddingOfBatch = 55_000;
/** The padding with which a message just holds as many cards as it may. */
const paddingOfTenth = 5_000;

/** What the messages of a batch hold. */
interface BatchShape {
  readonly name: string;
  readonly messages: number;
  readonly cardsPerMessage: number;
  readonly Padding: unknown;
}

/** For deliver-scorecards: as many messages as a batch may have, as many cards, and as large ones as there are. */
export function largestDeliveries(front: FunctionsInFront): LargestInput[] {
  const answered = /^\{"batchItemFailures":\[\]\}/;
  const input = (name: string, shape: BatchShape): LargestInput => ({
    name,
    events: () => waitingBatches(front, shape),
    answered,
  });
  return [
    input(`${batchSize} cards of 57 KB`, {
      name: "batch",
      messages: batchSize,
      cardsPerMessage: 1,
      Padding: incompressible(paddingOfBatch),
    }),
    input(`${largestCards} cards of 200 KB, text`, {
      name: "text-batch",
      messages: largestCards,
      cardsPerMessage: 1,
      Padding: incompressible(largestPadding),
    }),
    input(`${batchSize} cards of 200 KB, empty objects, which are packed small`, {
      name: "objects-batch",
      messages: batchSize,
      cardsPerMessage: 1,
      Padding: emptyObjects(largestPadding),
    }),
    input(`${batchSize * mostCardsOfMessage} cards of 6 KB, empty objects, ten to a message`, {
      name: "tenths-batch",
      messages: batchSize,
      cardsPerMessage: mostCardsOfMessage,
      Padding: emptyObjects(paddingOfTenth),
    }),
  ];
}

/** Submits cards, and takes their messages from the queue as the event source does. */
async function waitingBatches(
  { run, standIn, apiSet, authorization }: FunctionsInFront,
  { name, messages, cardsPerMessage, Padding }: BatchShape,
): Promise<object[]> {
  const client = new SQSClient({ endpoint: run.sqs, region: run.region, credentials: localCredentials });
  const QueueUrl = run.resource("DeliveryQueue");
  const queueArn = `arn:aws:sqs:${run.region}:000000000000:${QueueUrl.split("/").at(-1)}`;
  const count = messages * cardsPerMessage;
  const perSubmission = largestCards * cardsPerMessage;
  const courses = playableCourses(standIn, count);
  const events: object[] = [];
  try {
    await client.send(new PurgeQueueCommand({ QueueUrl }));
    for (let batch = 0; batch < batches; batch++) {
      const cards = largeCards(standIn, courses, { name: `${name}-${batch}`, cards: count, Padding });
      for (let start = 0; start < count; start += perSubmission) {
        const some = cards.slice(start, start + perSubmission);
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
