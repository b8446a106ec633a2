import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { holdDelivery, releaseDelivery } from "./hold-delivery.ts";
import { milliseconds } from "./median.ts";
import type { PipelineReady } from "./pipeline-process.ts";
import type { PlayedCard } from "./played-cards.ts";

const cardsPerSubmission = 1_000;
const pollMilliseconds = 50;

/** For `node:http`: `fetch` takes twice as much of the processors, which the client shares with the pipeline that is measured. */
const connections = new Agent({ keepAlive: true });

/** Posts JSON of cards to an address, which answers with JSON of what it made of them. */
export async function postBody(address: string, authorization: string, body: string): Promise<string> {
  const headers = {
    Authorization: authorization,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(body),
    Accept: "application/json",
    Token: "",
    // Not compressed: what API Gateway's compression takes is not measured.
    "Accept-Encoding": "identity",
  };
  const sending = request(address, { method: "POST", headers, agent: connections });
  sending.end(body);
  const [answer] = (await once(sending, "response")) as [IncomingMessage];
  const { statusCode = 0 } = answer;
  const answered = await text(answer);
  if (statusCode < 200 || statusCode > 299) throw new Error(`${address} answered ${statusCode}: ${answered}`);
  return answered;
}

/** Posts cards to an address and returns its answer. */
export async function postCards(
  address: string,
  authorization: string,
  cards: readonly PlayedCard[],
): Promise<PlayedCard[]> {
  return JSON.parse(await postBody(address, authorization, JSON.stringify(cards))) as PlayedCard[];
}

/** Has cards wait in a pipeline's queue: delivery is held until the backlog is drained. Returns them as taken. */
export async function fillBacklog(
  pipeline: PipelineReady,
  path: string,
  authorization: string,
  cards: readonly PlayedCard[],
): Promise<PlayedCard[]> {
  await holdDelivery(pipeline);
  const taken: PlayedCard[] = [];
  for (let start = 0; start < cards.length; start += cardsPerSubmission) {
    const submission = cards.slice(start, start + cardsPerSubmission);
    taken.push(...(await postCards(`${pipeline.api}${path}`, authorization, submission)));
  }
  return taken;
}

/**
 * Releases delivery; milliseconds until no message waits or is under way. A message that the hold gave back may have been posted, so
 * its cards have a delayed wake-up beside them, which has nothing to do any more when it comes.
 */
export async function drainBacklog(pipeline: PipelineReady): Promise<number> {
  const { sqs, region, queueUrl: QueueUrl } = pipeline;
  const credentials = { accessKeyId: "local", secretAccessKey: "local" };
  const client = new SQSClient({ endpoint: sqs, region, credentials });
  const count = new GetQueueAttributesCommand({
    QueueUrl,
    AttributeNames: ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"],
  });
  await releaseDelivery(pipeline);
  const time = await milliseconds(async () => {
    for (;;) {
      const { Attributes = {} } = await client.send(count);
      if (Object.values(Attributes).every((messages) => messages === "0")) break;
      await delay(pollMilliseconds);
    }
  });
  client.destroy();
  return time;
}
