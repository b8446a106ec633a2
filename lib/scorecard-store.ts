import { RemovalPolicy } from "aws-cdk-lib";
import { AttributeType, BillingMode, ProjectionType, Table } from "aws-cdk-lib/aws-dynamodb";
import type { Construct } from "constructs";

/** A table as all of the pipeline's are: paid per request, restorable to any second of the last 35 days. */
export function pipelineTable(
  scope: Construct,
  id: string,
  { keepData, partitionKey, sortKey }: { keepData: boolean; partitionKey: string; sortKey?: string },
): Table {
  return new Table(scope, id, {
    partitionKey: { name: partitionKey, type: AttributeType.STRING },
    ...(sortKey !== undefined && { sortKey: { name: sortKey, type: AttributeType.STRING } }),
    billingMode: BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: keepData,
    removalPolicy: keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
}

/** The cards: two items each, and an index of those that somebody should look at. */
export function scorecardStore(scope: Construct, keepData: boolean): Table {
  const table = pipelineTable(scope, "ScorecardTable", { keepData, partitionKey: "card", sortKey: "item" });
  table.addGlobalSecondaryIndex({
    indexName: "byState",
    partitionKey: { name: "vendorState", type: AttributeType.STRING },
    sortKey: { name: "stateSince", type: AttributeType.STRING },
    projectionType: ProjectionType.ALL,
  });
  return table;
}
