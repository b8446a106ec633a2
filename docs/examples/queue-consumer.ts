/**
 * Reads the outcomes of cards from an SQS queue of one's own, in the order of each card.
 *
 *   npm run example -- queue-consumer [NAME OF THE QUEUE]
 *
 * It makes the queue if there is none, and the endpoint whose events go into it. On AWS make both, and the role, with your
 * infrastructure's code instead: docs/webhooks.md has the role's policies.
 */
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { createClient, type WebhookEvent } from "@scorecard-pipeline/scorecards-client";

const {
  SCORECARDS_API: api = "",
  SCORECARDS_USERNAME: username = "",
  SCORECARDS_PASSWORD: password = "",
  EVENT_ROLE_ARN,
} = process.env;
const [, , name = "scorecard-events.fifo"] = process.argv;
const client = createClient({ api, username, password });
/** By default your role on the local run. */
const roleArn = EVENT_ROLE_ARN ?? `arn:aws:iam::000000000000:role/scorecard-events-${client.apiSet}`;
// The SDK reads region, credentials and the address of the local run's queues from the environment.
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });

/** The last version of each card that was handled. Keep it in your database: a message may come twice. */
const handled = new Map<string, number>();

function handle({ type, data }: WebhookEvent): void {
  console.log(type);
  for (const { externalId, version = 0, state } of "cards" in data ? data.cards : []) {
    const isNew = version >= (handled.get(externalId) ?? 0);
    if (isNew) handled.set(externalId, version);
    console.log(`${externalId} ${version}: ${state}${isNew ? "" : ", which is old"}`);
  }
}

const Attributes = { VisibilityTimeout: "5", ...(name.endsWith(".fifo") && { FifoQueue: "true" }) };
const { QueueUrl = "" } = await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes }));
const isThere = (await client.webhooks()).some(({ url }) => url === QueueUrl);
if (!isThere) await client.createWebhook({ url: QueueUrl, roleArn });
console.log(`Events come into ${QueueUrl}`);

for (;;) {
  const waiting = { QueueUrl, MaxNumberOfMessages: 10, WaitTimeSeconds: 20 };
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand(waiting));
  for (const { Body = "", ReceiptHandle } of Messages) {
    handle(JSON.parse(Body) as WebhookEvent);
    // Only now: if this program ends before, the message comes again.
    await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle }));
  }
}
