import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  QueueNameExists,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { buildApp } from "fauxqs";
import * as z from "zod";
import { offerConnections, servePort, toPortBody } from "../base/engine-connection.ts";
import { type AwsEnvironment, localCredentials } from "../base/environment.ts";
import type { LoopbackServer } from "../base/loopback-server.ts";
import type { ResourceType } from "../base/resource-type.ts";
import type { QueueApi } from "./queue-api.ts";
import { embeddedQueueApi } from "./queue-api.ts";

/** Name of the message attribute that carries the group through the engine. */
const carrier = "local.MessageGroupId";

interface Sent {
  MessageGroupId?: string;
  MessageAttributes?: Record<string, unknown>;
}

interface Received {
  Attributes?: Record<string, string>;
  MessageAttributes?: Record<string, { StringValue?: string }>;
}

interface Requested {
  Entries?: Sent[];
  MessageAttributeNames?: string[];
  MessageSystemAttributeNames?: string[];
  AttributeNames?: string[];
}

function carry(message: Sent): void {
  if (message.MessageGroupId === undefined) return;
  const carried = { DataType: "String", StringValue: message.MessageGroupId };
  message.MessageAttributes = { ...message.MessageAttributes, [carrier]: carried };
}

function restore(message: Received, groupWanted: boolean, attributesWanted: boolean): Received {
  const { [carrier]: group, ...others } = message.MessageAttributes ?? {};
  const { MessageAttributes: _, ...rest } = message;
  return {
    ...rest,
    ...(attributesWanted && Object.keys(others).length > 0 ? { MessageAttributes: others } : {}),
    ...(groupWanted && group?.StringValue !== undefined
      ? { Attributes: { ...message.Attributes, MessageGroupId: group.StringValue } }
      : {}),
  };
}

/**
 * Makes the embedded engine keep the MessageGroupId of messages in standard queues, as SQS does for fair queues.
 *
 * The engine drops the group, so it is stored as a message attribute and moved back when the message is received. The
 * engine also returns message attributes that were not requested; they are removed, as SQS does not return them.
 */
function keepMessageGroups(app: ReturnType<typeof buildApp>): void {
  app.addHook("preHandler", (request, _reply, done) => {
    const target = String(request.headers["x-amz-target"]);
    const body = request.body as Requested & Sent;
    if (target === "AmazonSQS.SendMessage") carry(body);
    if (target === "AmazonSQS.SendMessageBatch") body.Entries?.forEach(carry);
    if (target === "AmazonSQS.ReceiveMessage" && body.MessageAttributeNames?.length) {
      body.MessageAttributeNames.push(carrier);
    }
    done();
  });
  app.addHook("preSerialization", (request, _reply, payload, done) => {
    const received = payload as { Messages?: Received[] } | null;
    if (request.headers["x-amz-target"] !== "AmazonSQS.ReceiveMessage" || !received?.Messages) {
      done(null, payload);
      return;
    }
    const body = request.body as Requested;
    const systemNames = [...(body.MessageSystemAttributeNames ?? []), ...(body.AttributeNames ?? [])];
    const groupWanted = systemNames.some((name) => name === "All" || name === "MessageGroupId");
    const attributesWanted = (body.MessageAttributeNames?.length ?? 0) > 0;
    const messages = received.Messages.map((message) => restore(message, groupWanted, attributesWanted));
    done(null, { ...received, Messages: messages });
  });
}

/** Ignored: encryption at rest. */
const ignored = z.unknown().optional();

const propertiesSchema = z.strictObject({
  QueueName: z.string().optional(),
  VisibilityTimeout: z.coerce.string().optional(),
  MessageRetentionPeriod: z.coerce.string().optional(),
  RedrivePolicy: z
    .record(z.string(), z.unknown())
    .transform((policy) => JSON.stringify(policy))
    .optional(),
  KmsMasterKeyId: ignored,
  KmsDataKeyReusePeriodSeconds: ignored,
});

/** SQS in memory. */
export interface EmbeddedSqs extends LoopbackServer {
  /** The same queues, called within the process. */
  readonly api: QueueApi;
}

/** Starts SQS in memory on 127.0.0.1. */
export async function startSqs(region: string): Promise<EmbeddedSqs> {
  const app = buildApp({ logger: false, defaultRegion: region });
  keepMessageGroups(app);
  const address = await app.listen({ port: 0, host: "127.0.0.1" });
  const endConnections = offerConnections(address, (port) =>
    servePort(port, async ({ method, url, headers, body, encoding }) => {
      const payload = Buffer.from(body, encoding);
      const response = await app.inject({ method: method as "POST", url, headers, payload });
      const own = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
      return {
        status: response.statusCode,
        headers: Object.fromEntries(own),
        ...toPortBody(response.rawPayload),
      };
    }),
  );
  const stop = () => {
    endConnections();
    return app.close();
  };
  return { address, api: embeddedQueueApi(app), stop };
}

/** An SDK client of the queues at an endpoint. */
export function sqsClient(endpoint: string, environment: AwsEnvironment): SQSClient {
  return new SQSClient({ endpoint, region: environment.region, credentials: localCredentials });
}

async function createQueue(
  client: SQSClient,
  name: string,
  attributes: Record<string, string>,
): Promise<string> {
  try {
    const { QueueUrl } = await client.send(
      new CreateQueueCommand({ QueueName: name, Attributes: attributes }),
    );
    return QueueUrl ?? "";
  } catch (error) {
    if (!(error instanceof QueueNameExists)) throw error;
    return (await client.send(new GetQueueUrlCommand({ QueueName: name }))).QueueUrl ?? "";
  }
}

/** The queue's URL with the endpoint's host: some engines return a host name that this machine cannot resolve. */
function reachable(url: string, endpoint: string): string {
  return new URL(new URL(url).pathname, endpoint).href;
}

/**
 * AWS::SQS::Queue on the engine at an endpoint; an existing queue is used as it is. The embedded engine ignores the
 * retention period and keeps messages until the run ends.
 *
 * @param found called with the ARN and URL of each queue
 */
export function queueType(
  client: SQSClient,
  endpoint: string,
  found: (arn: string, url: string) => void,
): ResourceType {
  return async ({ physicalName, properties }) => {
    const {
      QueueName: name = physicalName,
      KmsMasterKeyId,
      KmsDataKeyReusePeriodSeconds,
      ...settings
    } = propertiesSchema.parse(properties);
    const attributes = Object.entries(settings).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    const url = reachable(await createQueue(client, name, Object.fromEntries(attributes)), endpoint);
    const known = await client.send(
      new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ["QueueArn"] }),
    );
    const arn = known.Attributes?.QueueArn ?? "";
    found(arn, url);
    return { ref: url, attributes: { Arn: arn, QueueName: name, QueueUrl: url } };
  };
}
