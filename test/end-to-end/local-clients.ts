import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SQSClient } from "@aws-sdk/client-sqs";
import type { LocalRun } from "@scorecard-pipeline/local-aws";
import { localCredentials } from "@scorecard-pipeline/local-aws/environment";

function createClients({ region, dynamodb, sqs, secretsManager }: LocalRun) {
  const client = { region, credentials: localCredentials };
  return {
    dynamodb: new DynamoDBClient({ ...client, endpoint: dynamodb }),
    sqs: new SQSClient({ ...client, endpoint: sqs, useQueueUrlAsEndpoint: false }),
    secrets: new SecretsManagerClient({ ...client, endpoint: secretsManager }),
  };
}

const clients = new WeakMap<LocalRun, ReturnType<typeof createClients>>();

/** Clients of a local run's services, the same for all who ask: nobody has to destroy them, since the run ends their connections. */
export function clientsOf(run: LocalRun): ReturnType<typeof createClients> {
  const known = clients.get(run) ?? createClients(run);
  clients.set(run, known);
  return known;
}
