import { APIGatewayClient, paginateGetApiKeys } from "@aws-sdk/client-api-gateway";
import {
  CloudFormationClient,
  DescribeStackResourcesCommand,
  DescribeStacksCommand,
  paginateDescribeStackEvents,
} from "@aws-sdk/client-cloudformation";
import { DynamoDBClient, paginateListTables } from "@aws-sdk/client-dynamodb";
import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { paginateListSecrets, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { paginateListQueues, SQSClient } from "@aws-sdk/client-sqs";
import type { RefusedResource } from "./deploy-adapted.ts";

/** A trial's requests to the services of its endpoint. The SDK reads address, region and credentials from the environment. */

/** Matches CloudFormation's reason for a resource that it did not try because another one failed. */
const isConsequence = (reason: string) => /cancel/i.test(reason);

/** The resources that failed in a stack's last deployment. */
export async function refusedResources(StackName: string): Promise<RefusedResource[]> {
  const refused: RefusedResource[] = [];
  const pages = paginateDescribeStackEvents({ client: new CloudFormationClient() }, { StackName });
  for await (const { StackEvents = [] } of pages) {
    // Events come newest first.
    for (const event of StackEvents) {
      const {
        LogicalResourceId: logicalId = "",
        ResourceType: type = "",
        ResourceStatus: status = "",
      } = event;
      const { ResourceStatusReason: reason = "" } = event;
      if (type === "AWS::CloudFormation::Stack") {
        if (/^(CREATE|UPDATE)_IN_PROGRESS$/.test(status)) return refused;
      } else if (/^(CREATE|UPDATE)_FAILED$/.test(status) && !isConsequence(reason)) {
        refused.push({ logicalId, type, reason });
      }
    }
  }
  return refused;
}

/** Invokes a function of the stack, named as its folder, and returns what it returns. */
export async function invokeFunction(StackName: string, name: string, event: unknown): Promise<unknown> {
  const { StackResources = [] } = await new CloudFormationClient().send(
    new DescribeStackResourcesCommand({ StackName }),
  );
  // The CDK makes logical IDs from the construct's path, without its hyphens.
  const FunctionName = StackResources.find(
    ({ ResourceType, LogicalResourceId }) =>
      ResourceType === "AWS::Lambda::Function" && LogicalResourceId?.includes(name.replaceAll("-", "")),
  )?.PhysicalResourceId;
  const { Payload, FunctionError } = await new LambdaClient().send(
    new InvokeCommand({ FunctionName, Payload: JSON.stringify(event) }),
  );
  const text = Buffer.from(Payload ?? []).toString();
  if (FunctionError !== undefined) throw new Error(`${name} failed: ${text}`);
  return JSON.parse(text);
}

/** The API's base address from a stack's outputs. */
export async function baseAddress(StackName: string): Promise<string> {
  const { Stacks = [] } = await new CloudFormationClient().send(new DescribeStacksCommand({ StackName }));
  const output = Stacks[0]?.Outputs?.find(({ OutputKey }) => OutputKey === "BaseAddress");
  if (output?.OutputValue === undefined) throw new Error(`The stack ${StackName} has no output BaseAddress.`);
  return output.OutputValue;
}

/**
 * Addresses at which endpoints serve a REST API, best first. The address of AWS itself is none: an emulator's outputs
 * have it, too, and nothing may be sent there.
 *
 * @param address the base address from the stack's outputs
 */
export function apiAddresses(address: string, endpoint: string): string[] {
  const { hostname, pathname } = new URL(address);
  const [restApi = ""] = hostname.split(".");
  const stage = pathname.split("/")[1];
  const { origin, host, protocol } = new URL(endpoint);
  const ofEmulators = [
    `${origin}/restapis/${restApi}/${stage}/_user_request_`,
    `${protocol}//${restApi}.execute-api.${host}/${stage}`,
  ];
  return hostname.endsWith(".amazonaws.com") ? ofEmulators : [address, ...ofEmulators];
}

/** The resources of a stage that are left after its stack was removed, a line each. */
export async function leftovers(stackName: string, stage: string): Promise<string[]> {
  const lines: string[] = [];
  const found = (what: string, names: readonly (string | undefined)[]) => {
    if (names.length > 0) lines.push(`${what} ${names.join(", ")}`);
  };
  const prefix = `${stackName}-`;
  for await (const { TableNames = [] } of paginateListTables({ client: new DynamoDBClient() }, {})) {
    found(
      "table",
      TableNames.filter((name) => name.startsWith(prefix)),
    );
  }
  for await (const { QueueUrls = [] } of paginateListQueues(
    { client: new SQSClient() },
    { QueueNamePrefix: prefix, MaxResults: 100 },
  )) {
    found("queue", QueueUrls);
  }
  const secrets = paginateListSecrets(
    { client: new SecretsManagerClient() },
    { IncludePlannedDeletion: true, Filters: [{ Key: "name", Values: [`scorecards/${stage}/`] }] },
  );
  for await (const { SecretList = [] } of secrets) {
    found(
      "secret",
      SecretList.map(({ Name, DeletedDate }) => `${Name}${DeletedDate ? " (to be deleted)" : ""}`),
    );
  }
  for await (const { items = [] } of paginateGetApiKeys(
    { client: new APIGatewayClient() },
    { nameQuery: `scorecards-${stage}-` },
  )) {
    found(
      "usage key",
      items.map(({ name }) => name),
    );
  }
  return lines;
}
