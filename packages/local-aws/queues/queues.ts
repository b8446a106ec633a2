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
import { embeddedQueueApi } from "./embedded-queue-api.ts";
import { keepMessageGroups } from "./message-groups.ts";
import type { QueueApi } from "./queue-api.ts";

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
