import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { guidKey } from "../../core/formats/identifiers.ts";
import { clubTable } from "../../core/register/club-table.ts";
import { courseTable } from "../../core/register/course-table.ts";
import { mirrorStateReader } from "../../core/register/mirror-state-table.ts";
import { removeClub } from "../../core/register/unlisted-clubs.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { findTarget } from "../base/find-target.ts";
import { namedClub } from "../base/named-club.ts";
import { tableLines } from "../base/table-lines.ts";
import type { TargetStage } from "../base/target.ts";
import { counted, type Terminal } from "../base/terminal.ts";

/** Options of `scorecards mirror accept`. */
export interface AcceptOptions {
  readonly stage: TargetStage;
  /** Only this club, by its ID. */
  readonly club?: string;
  /** Without it nothing is changed. */
  readonly yes?: true;
  readonly json?: true;
}

/**
 * `scorecards mirror accept`: removes the clubs that the union's list lacks. Without `--yes` it only lists them. Exit code `done` if
 * there is none, or if they were removed.
 */
export async function acceptCommand(
  { stage, club, yes, json }: AcceptOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { outputs, client } = await findTarget(stage, yes && terminal);
  const dynamodb = new DynamoDBClient(client("dynamodb"));
  const tables = {
    clubs: clubTable(outputs.ClubTableName, dynamodb),
    courses: courseTable(outputs.CourseTableName, dynamodb),
  };
  const state = await mirrorStateReader(outputs.CourseTableName, dynamodb).read();
  const unlisted = (await tables.clubs.all()).flatMap((mirrored) => {
    const mark = state.clubs.get(mirrored.id)?.unlisted;
    if (mark === undefined || (club !== undefined && mirrored.id !== guidKey(club))) return [];
    return { ...namedClub(mirrored), missingSince: new Date(mark.since).toISOString() };
  });
  if (yes) for (const { id } of unlisted) await removeClub(id, tables, Date.now());

  if (json) terminal.json({ accepted: yes === true, clubs: unlisted });
  else if (unlisted.length === 0) terminal.result("The union's list lacks none of the mirrored clubs.");
  else {
    const rows = unlisted.map(({ number, name, id, missingSince }) => [number, name, id, missingSince]);
    terminal.result(tableLines(["Number", "Club", "ID", "Missing since"], rows));
    const many = counted(unlisted.length, "club");
    terminal.result(
      yes
        ? `Removed ${many} with all courses. If the union lists them again, the next sync brings them back.`
        : `Nothing is changed. Run the same command with --yes to remove ${many}.`,
    );
  }
  return yes || unlisted.length === 0 ? exitCode.done : exitCode.refused;
}
