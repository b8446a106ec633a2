import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DynamoDBClient,
} from "@aws-sdk/client-dynamodb";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { findTarget } from "../find-target.ts";
import { tableLines } from "../table-lines.ts";
import type { TargetStage } from "../target.ts";
import type { Terminal } from "../terminal.ts";
import { backedUp } from "./backed-up.ts";

/** Options of `scorecards backup check`. */
export interface BackupCheckOptions {
  readonly stage: TargetStage;
  readonly json?: true;
}

/**
 * `scorecards backup check`: whether the tables that cannot be filled again can be restored, and to when. Exit code
 * `done` if all can.
 */
export async function checkCommand(
  { stage, json }: BackupCheckOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { outputs, client } = await findTarget(stage);
  const dynamodb = new DynamoDBClient(client("dynamodb"));
  const checked = await Promise.all(
    Object.entries(backedUp).map(async ([name, { output }]) => {
      const TableName = outputs[output];
      const [{ ContinuousBackupsDescription }, { Table }] = await Promise.all([
        dynamodb.send(new DescribeContinuousBackupsCommand({ TableName })),
        dynamodb.send(new DescribeTableCommand({ TableName })),
      ]);
      const recovery = ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
      return {
        name,
        table: TableName,
        restorable: recovery?.PointInTimeRecoveryStatus === "ENABLED",
        from: recovery?.EarliestRestorableDateTime?.toISOString() ?? "",
        to: recovery?.LatestRestorableDateTime?.toISOString() ?? "",
        protectedFromDeletion: Table?.DeletionProtectionEnabled ?? false,
      };
    }),
  );
  if (json) terminal.json(checked);
  else {
    const head = ["Data", "Table", "Restorable", "From", "To", "Protected from deletion"];
    const rows = checked.map(({ name, table, restorable, from, to, protectedFromDeletion }) => {
      return [name, table, restorable ? "yes" : "NO", from, to, protectedFromDeletion ? "yes" : "no"];
    });
    terminal.result(tableLines(head, rows));
  }
  return checked.every(({ restorable }) => restorable) ? exitCode.done : exitCode.refused;
}
