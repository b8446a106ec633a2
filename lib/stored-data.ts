import { Duration, RemovalPolicy, Stack, Validations } from "aws-cdk-lib";
import {
  AttributeType,
  BillingMode,
  type CfnTable,
  ProjectionType,
  StreamViewType,
  Table,
  TableEncryption,
} from "aws-cdk-lib/aws-dynamodb";
import { AnyPrincipal, PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Key } from "aws-cdk-lib/aws-kms";
import {
  EventSourceMapping,
  type EventSourceMappingOptions,
  type Function as LambdaFunction,
  StartingPosition,
} from "aws-cdk-lib/aws-lambda";
import { Secret, type SecretProps } from "aws-cdk-lib/aws-secretsmanager";
import { Queue, QueueEncryption } from "aws-cdk-lib/aws-sqs";
import type { Construct } from "constructs";
import { maxReceives } from "../core/cards/delivery/timing.ts";
import { awsLimits } from "./aws-facts.ts";
import { allow } from "./pipeline-function.ts";
import { dataKeyAlias, type StageSettings } from "./stage-settings.ts";

/**
 * Removal policy of queues, secrets and keys. Tables have their own, because CloudFormation cannot remove a table that is
 * protected from deletion.
 *
 * Even data that outlives the stack is removed if the deployment that creates it fails: it is empty then, and the next
 * attempt could not create another resource of the same name.
 */
export const removalPolicy = (keepData: boolean): RemovalPolicy =>
  keepData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

/** Set although it is the default: some emulators make an empty secret otherwise. */
export const generated: SecretProps = { generateSecretString: { passwordLength: 32 } };
/** Why a password of ours at the union is not rotated. */
export const issuedByUnion = "The union issues this password, and its API cannot change it.";

/** A secret that nothing rotates. @param why for the rule that asks for it */
export function unrotatedSecret(scope: Construct, id: string, why: string, props: SecretProps): Secret {
  const secret = new Secret(scope, id, props);
  Validations.of(secret).acknowledge({ id: "AwsSolutions-SMG4", reason: why });
  return secret;
}

/** Permissions with which a service encrypts data for a caller and decrypts it again. */
const encryption = [
  "kms:Encrypt",
  "kms:Decrypt",
  "kms:ReEncryptFrom",
  "kms:ReEncryptTo",
  "kms:GenerateDataKey",
  "kms:GenerateDataKeyWithoutPlaintext",
  "kms:DescribeKey",
  "kms:CreateGrant",
];

/**
 * The stage's key for players' data and credentials: cards, accounts, queues and secrets.
 *
 * It works only through those services, for whoever may read the table, queue or secret. So a function's role needs no
 * permission for the key.
 */
export function dataKey(scope: Construct, { stage, keepData }: StageSettings): Key {
  const key = new Key(scope, "DataKey", {
    alias: dataKeyAlias(stage),
    description: `Scorecards, accounts and credentials of stage ${stage}`,
    enableKeyRotation: true,
    pendingWindow: Duration.days(keepData ? 30 : 7),
    removalPolicy: removalPolicy(keepData),
  });
  const { account, region } = Stack.of(scope);
  // In a key's own policy, * is that key.
  const resources = ["*"];
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: "ThroughTheServices",
      principals: [new AnyPrincipal()],
      actions: encryption,
      resources,
      conditions: {
        StringEquals: {
          "kms:CallerAccount": account,
          "kms:ViaService": ["dynamodb", "sqs", "secretsmanager", "sns"].map(
            (service) => `${service}.${region}.amazonaws.com`,
          ),
        },
      },
    }),
  );
  key.addToResourcePolicy(
    new PolicyStatement({
      sid: "AlarmsToTheirTopic",
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
      actions: ["kms:Decrypt", "kms:GenerateDataKey"],
      resources,
      conditions: { StringEquals: { "aws:SourceAccount": account } },
    }),
  );
  return key;
}

/** A queue whose messages have players' data, and that of its dead letters. @param ids of both @param key the stage's */
export function queueWithDeadLetters(
  scope: Construct,
  ids: { readonly queue: string; readonly deadLetters: string },
  { keepData, visibilitySeconds }: { readonly keepData: boolean; readonly visibilitySeconds: number },
  key: Key,
) {
  const options = {
    encryption: QueueEncryption.KMS,
    encryptionMasterKey: key,
    // The longest that SQS allows, so that it calls KMS once a day instead of with every message.
    dataKeyReuse: Duration.days(1),
    enforceSSL: true,
    retentionPeriod: Duration.days(awsLimits.messageRetentionDays),
    removalPolicy: removalPolicy(keepData),
  };
  const deadLetters = new Queue(scope, ids.deadLetters, options);
  Validations.of(deadLetters).acknowledge({
    id: "Serverless-SQSRedrivePolicy",
    reason: "This is the dead-letter queue.",
  });
  const queue = new Queue(scope, ids.queue, {
    ...options,
    visibilityTimeout: Duration.seconds(visibilitySeconds),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: maxReceives(visibilitySeconds) },
  });
  return { queue, deadLetters };
}

/** Options of a table. */
export interface PipelineTableProps {
  /** Whether the table outlives the stack. */
  readonly keepData: boolean;
  /** Absent for the table that was made first; see the setting `tableGeneration`. */
  readonly generation: number | undefined;
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** The stage's key, for players' data and credentials; AWS's own if absent. */
  readonly key?: Key;
  /** Attribute with the time, in seconds since 1970, after which DynamoDB removes an item. */
  readonly expiry?: string;
  /** Whether its changes can be followed; by two functions at most: DynamoDB throttles more readers of a stream. */
  readonly isFollowed?: boolean;
}

/** Creates a table that is paid per request and can be restored to any second of the last 35 days. */
export function pipelineTable(
  scope: Construct,
  id: string,
  { keepData, generation, partitionKey, sortKey, key, expiry, isFollowed }: PipelineTableProps,
): Table {
  const table = new Table(scope, id, {
    partitionKey: { name: partitionKey, type: AttributeType.STRING },
    ...(sortKey !== undefined && { sortKey: { name: sortKey, type: AttributeType.STRING } }),
    billingMode: BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    ...(key !== undefined && { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: key }),
    ...(expiry !== undefined && { timeToLiveAttribute: expiry }),
    ...(isFollowed && { stream: StreamViewType.NEW_AND_OLD_IMAGES }),
    deletionProtection: keepData,
    removalPolicy: keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  if (generation !== undefined) {
    const resource = table.node.defaultChild as CfnTable;
    resource.overrideLogicalId(`${Stack.of(table).getLogicalId(resource)}Generation${generation}`);
  }
  return table;
}

/** The table of counts by vendor and hour, and of the cards of each day. */
export function activityTable(
  scope: Construct,
  { keepData, tableGeneration }: StageSettings,
  key: Key,
): Table {
  return pipelineTable(scope, "ActivityTable", {
    keepData,
    generation: tableGeneration.activity,
    key,
    partitionKey: "apiSet",
    sortKey: "at",
    expiry: "expiresAt",
  });
}

/** Permissions to read and change cards. IAM checks what the statements of a BatchExecuteStatement do. */
export const cardActions = ["BatchGetItem", "PartiQLInsert", "PartiQLUpdate"];

/** The table of cards, one item each, and of circuit breakers, one item a vendor. The index has cards that need attention. */
export function scorecardTable(
  scope: Construct,
  { keepData, tableGeneration }: StageSettings,
  key: Key,
): Table {
  const table = pipelineTable(scope, "ScorecardTable", {
    keepData,
    generation: tableGeneration.cards,
    key,
    partitionKey: "id",
    expiry: "expiresAt",
    isFollowed: true,
  });
  table.addGlobalSecondaryIndex({
    indexName: "byState",
    partitionKey: { name: "vendorState", type: AttributeType.STRING },
    sortKey: { name: "stateSince", type: AttributeType.STRING },
    projectionType: ProjectionType.KEYS_ONLY,
  });
  return table;
}

/** Invokes a function with batches of a table's changes, in order, at most a second after the first. A batch that fails is split. */
export function followTable(
  scope: Construct,
  id: string,
  follower: LambdaFunction,
  table: Table,
  options: Omit<EventSourceMappingOptions, "eventSourceArn">,
): EventSourceMapping {
  // Lambda refuses to create the event source if one of these is missing.
  const actions = ["DescribeStream", "GetRecords", "GetShardIterator", "ListStreams"];
  const stream = table.tableStreamArn;
  if (stream === undefined) throw new Error(`${table.node.id} has no stream to follow.`);
  allow(
    follower,
    actions.map((action) => `dynamodb:${action}`),
    [stream],
  );
  const source = new EventSourceMapping(scope, id, {
    target: follower,
    eventSourceArn: stream,
    startingPosition: StartingPosition.TRIM_HORIZON,
    maxBatchingWindow: Duration.seconds(1),
    bisectBatchOnError: true,
    ...options,
  });
  source.node.addDependency(follower.role ?? follower);
  return source;
}
