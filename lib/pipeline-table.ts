import { RemovalPolicy } from "aws-cdk-lib";
import { AttributeType, BillingMode, Table, TableEncryption } from "aws-cdk-lib/aws-dynamodb";
import type { Key } from "aws-cdk-lib/aws-kms";
import type { Construct } from "constructs";

/** What a table is given. */
export interface PipelineTableProps {
  /** Whether it outlives the stack. */
  readonly keepData: boolean;
  readonly partitionKey: string;
  readonly sortKey?: string;
  /** The stage's own key, for what holds players' data or credentials; AWS's where absent. */
  readonly key?: Key;
  /** The attribute with the time, in seconds since 1970, after which an item is removed. */
  readonly expiry?: string;
}

/** A table as all of the pipeline's are: paid per request, restorable to any second of the last 35 days. */
export function pipelineTable(
  scope: Construct,
  id: string,
  { keepData, partitionKey, sortKey, key, expiry }: PipelineTableProps,
): Table {
  return new Table(scope, id, {
    partitionKey: { name: partitionKey, type: AttributeType.STRING },
    ...(sortKey !== undefined && { sortKey: { name: sortKey, type: AttributeType.STRING } }),
    billingMode: BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    ...(key !== undefined && { encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: key }),
    ...(expiry !== undefined && { timeToLiveAttribute: expiry }),
    deletionProtection: keepData,
    removalPolicy: keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
}
