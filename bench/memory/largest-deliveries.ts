import {
  DeleteMessageBatchCommand,
  type Message,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { SQSRecord } from "aws-lambda";
import { cardsInMessage } from "../../core/cards/queue.ts";
import { chunks } from "../../core/formats/chunks.ts";
import { settings } from "../../lib/settings.ts";
import { localCredentials } from "../../packages/local-aws/environment.ts";
import { eventsOf } from "../../packages/local-aws/functions/batch-events.ts";
import { sqsRecord } from "../../packages/local-aws/queues/sqs-event.ts";
import { postCards } from "../backlog.ts";
import type { FunctionsInFront } from "./functions-in-front.ts";
import { emptyObjects, incompressible, largeCards, playableCourses } from "./large-cards.ts";
import type { LargestInput } from "./largest-input.ts";
import { largestCards, largestPadding } from "./largest-submissions.ts";

const batches = 5;
const { batchSize } = settings.test.delivery;
/** Of cards with this padding a submission of 5 MiB holds a thousand, as many as it may. */
const paddingOfMany = 2_000;
/** Of the largest cards a run reads so many at once, and lets them go before it reads the next. */
const mostRead = 100;

/** What the messages of a batch name. */
interface BatchShape {
  readonly name: string;
  readonly cards: number;
  readonly cardsPerSubmission: number;
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
  const most = batchSize * cardsInMessage;
  return [
    input(`${most} cards, ${cardsInMessage} to a message`, {
      name: "many-batch",
      cards: most,
      cardsPerSubmission: Math.min(most, 1_000),
      Padding: incompressible(paddingOfMany),
    }),
    input(`${batchSize} cards of 57 KB, one to a message`, {
      name: "single-batch",
      cards: batchSize,
      cardsPerSubmission: 1,
      Padding: incompressible(55_000),
    }),
    input(`${mostRead} cards of 200 KB, text`, {
      name: "text-batch",
      cards: mostRead,
      cardsPerSubmission: largestCards,
      Padding: incompressible(largestPadding),
    }),
    input(`${mostRead} cards of 200 KB, empty objects, which are packed small`, {
      name: "objects-batch",
      cards: mostRead,
      cardsPerSubmission: largestCards,
      Padding: emptyObjects(largestPadding),
    }),
  ];
}

/** Submits cards, and takes their messages from the queue as the event source does. */
async function waitingBatches(
  { run, standIn, apiSet, authorization }: FunctionsInFront,
  { name, cards: count, cardsPerSubmission, Padding }: BatchShape,
): Promise<object[]> {
  const client = new SQSClient({ endpoint: run.sqs, region: run.region, credentials: localCredentials });
  const QueueUrl = run.resource("DeliveryQueue");
  const queueArn = `arn:aws:sqs:${run.region}:000000000000:${QueueUrl.split("/").at(-1)}`;
  const messages = (count / cardsPerSubmission) * Math.ceil(cardsPerSubmission / cardsInMessage);
  const courses = playableCourses(standIn, Math.min(count, 1_000));
  const events: object[] = [];
  try {
    await client.send(new PurgeQueueCommand({ QueueUrl }));
    for (let batch = 0; batch < batches; batch++) {
      const cards = largeCards(standIn, courses, { name: `${name}-${batch}`, cards: count, Padding });
      for (const some of chunks(cards, cardsPerSubmission)) {
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
