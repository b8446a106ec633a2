import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DynamoDBClient,
} from "@aws-sdk/client-dynamodb";
import { backedUp } from "../base/backed-up.ts";
import { errorLine } from "../base/error-line.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { findTarget } from "../base/find-target.ts";
import { tableLines } from "../base/table-lines.ts";
import type { TargetStage } from "../base/target.ts";
import type { Terminal } from "../base/terminal.ts";

/** Options of `scorecards backup check`. */
export interface BackupCheckOptions {
  readonly stage: TargetStage;
  readonly json?: true;
}

/**
 * `scorecards backup check`: whether the tables that cannot be filled again can be restored, and to when. Exit code
 * `done` if all can, `unfinished` if AWS did not tell of one.
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
      const [backups, described] = await Promise.allSettled([
        dynamodb.send(new DescribeContinuousBackupsCommand({ TableName })),
        dynamodb.send(new DescribeTableCommand({ TableName })),
      ]);
      const unread = [backups, described].flatMap((one) =>
        one.status === "rejected" ? errorLine(one.reason) : [],
      );
      const { ContinuousBackupsDescription } = backups.status === "fulfilled" ? backups.value : {};
      const { Table } = described.status === "fulfilled" ? described.value : {};
      const recovery = ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
      return {
        name,
        table: TableName,
        // Absent if AWS did not tell.
        ...(backups.status === "fulfilled" && {
          restorable: recovery?.PointInTimeRecoveryStatus === "ENABLED",
        }),
        from: recovery?.EarliestRestorableDateTime?.toISOString() ?? "",
        to: recovery?.LatestRestorableDateTime?.toISOString() ?? "",
        ...(described.status === "fulfilled" && {
          protectedFromDeletion: Table?.DeletionProtectionEnabled ?? false,
        }),
        ...(unread.length > 0 && { unread }),
      };
    }),
  );
  if (json) terminal.json(checked);
  else {
    const head = ["Data", "Table", "Restorable", "From", "To", "Protected from deletion"];
    const rows = checked.map(({ name, table, restorable, from, to, protectedFromDeletion }) => {
      const isRestorable = restorable === undefined ? "unknown" : restorable ? "yes" : "NO";
      const isProtected =
        protectedFromDeletion === undefined ? "unknown" : protectedFromDeletion ? "yes" : "no";
      return [name, table, isRestorable, from, to, isProtected];
    });
    terminal.result(tableLines(head, rows));
  }
  const failed = checked.flatMap(({ name, unread = [] }) => unread.map((reason) => `${name}: ${reason}`));
  for (const line of failed) terminal.note(`error: ${line}`);
  if (failed.length > 0) return exitCode.unfinished;
  return checked.every(({ restorable }) => restorable) ? exitCode.done : exitCode.refused;
}
