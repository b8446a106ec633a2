import { AttributeType, ProjectionType, type Table } from "aws-cdk-lib/aws-dynamodb";
import type { Key } from "aws-cdk-lib/aws-kms";
import type { Construct } from "constructs";
import { pipelineTable } from "./pipeline-table.ts";

/** The cards and what became of them, and an index of those that somebody should look at. */
export function scorecardStore(scope: Construct, keepData: boolean, key: Key): Table {
  const table = pipelineTable(scope, "ScorecardTable", {
    keepData,
    key,
    partitionKey: "card",
    sortKey: "item",
    expiry: "expiresAt",
  });
  table.addGlobalSecondaryIndex({
    indexName: "byState",
    partitionKey: { name: "vendorState", type: AttributeType.STRING },
    sortKey: { name: "stateSince", type: AttributeType.STRING },
    projectionType: ProjectionType.ALL,
  });
  return table;
}
