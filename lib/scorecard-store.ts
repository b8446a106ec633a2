import { AttributeType, ProjectionType, type Table } from "aws-cdk-lib/aws-dynamodb";
import type { Key } from "aws-cdk-lib/aws-kms";
import type { Construct } from "constructs";
import { pipelineTable } from "./pipeline-table.ts";

/** What a function needs that reads cards and changes them: BatchExecuteStatement is allowed by what its statements do. */
export const cardActions = ["dynamodb:BatchGetItem", "dynamodb:PartiQLInsert", "dynamodb:PartiQLUpdate"];

/** The cards, an item each, with an index of those that somebody should look at; and an item for each vendor's breaker. */
export function scorecardStore(scope: Construct, keepData: boolean, key: Key): Table {
  const table = pipelineTable(scope, "ScorecardTable", {
    keepData,
    key,
    partitionKey: "id",
    expiry: "expiresAt",
  });
  table.addGlobalSecondaryIndex({
    indexName: "byState",
    partitionKey: { name: "vendorState", type: AttributeType.STRING },
    sortKey: { name: "stateSince", type: AttributeType.STRING },
    projectionType: ProjectionType.KEYS_ONLY,
  });
  return table;
}
