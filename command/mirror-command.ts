import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { mirrorStateTable } from "../core/register/mirror-state-table.ts";
import { skippedEntries } from "../core/register/sync-report.ts";
import { ageOf } from "../core/register/sync-state.ts";
import { type ExitCode, exitCode } from "./exit-code.ts";
import { findTarget } from "./find-target.ts";
import { tableLines } from "./table-lines.ts";
import type { TargetStage } from "./target.ts";
import { counted, type Terminal } from "./terminal.ts";

/** `scorecards mirror`: how old the mirror is, and what could not be mirrored. Exit code `done` if everything could be. */
export async function mirrorCommand(
  { stage, json }: { readonly stage: TargetStage; readonly json?: true },
  terminal: Terminal,
): Promise<ExitCode> {
  const { outputs, client } = await findTarget(stage);
  const state = await mirrorStateTable(
    outputs.CourseTableName,
    new DynamoDBClient(client("dynamodb")),
  ).read();
  const clubs = [...state.clubs.values()];
  const oldestSeconds = Math.round(Math.max(0, ...clubs.map((club) => ageOf(club, Date.now()))) / 1000);
  const failing = clubs.filter(({ failures }) => failures > 0).length;
  const skipped = skippedEntries(state);
  if (json) terminal.json({ clubs: clubs.length, failing, oldestSeconds, skipped });
  else {
    terminal.result(
      `${counted(clubs.length, "club")}, the oldest mirrored ${counted(oldestSeconds, "second")} ago; ${failing} failing.`,
    );
    const rows = skipped.map(({ club, count, reason }) => [club, count, reason]);
    if (rows.length > 0) terminal.result(tableLines(["Club", "Entries not mirrored", "First reason"], rows));
  }
  return skipped.length > 0 ? exitCode.refused : exitCode.done;
}
