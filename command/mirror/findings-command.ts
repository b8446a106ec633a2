import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { writeCsvCell } from "@scorecard-pipeline/card-files/csv-cell";
import pMap from "p-map";
import { clubTable } from "../../core/register/club-table.ts";
import { courseLister } from "../../core/register/course-table.ts";
import { registerFindings } from "../../core/register/register-findings.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { findTarget } from "../base/find-target.ts";
import { findClub, namedClub } from "../base/named-club.ts";
import { tableLines } from "../base/table-lines.ts";
import type { TargetStage } from "../base/target.ts";
import { counted, type Terminal } from "../base/terminal.ts";

/** Options of `scorecards mirror --findings`. */
export interface FindingsOptions {
  readonly stage: TargetStage;
  /** Only this club, by its ID or official number. */
  readonly club?: string;
  /** A folder, which gets a CSV file for each club. */
  readonly findings: string | true;
  readonly json?: true;
}

const parallelReads = 16;
const heads = ["Course", "Version", "To be corrected"];

/**
 * `scorecards mirror --findings [FOLDER]`: what clubs should correct in their courses, as the mirror has them. Exit code `done` if that
 * is nothing.
 */
export async function findingsCommand(
  { stage, club: wanted, findings: folder, json }: FindingsOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { outputs, client } = await findTarget(stage);
  const dynamodb = new DynamoDBClient(client("dynamodb"));
  const courses = courseLister(outputs.CourseTableName, dynamodb);
  const table = outputs.ClubTableName;
  const clubs =
    wanted === undefined ? await clubTable(table, dynamodb).all() : [await findClub(table, dynamodb, wanted)];
  const read = await pMap(
    clubs,
    async (club) => ({ ...namedClub(club), findings: registerFindings(await courses.club(club.id)) }),
    { concurrency: parallelReads },
  );
  const found = read.filter(({ findings }) => findings.length > 0);
  const toRows = ({ findings }: (typeof found)[number]) => findings.map((one) => Object.values(one));
  if (json) terminal.json({ clubs: clubs.length, findings: found });
  else {
    const rows = found.flatMap((club) => toRows(club).map((row) => [club.number ?? "", club.name, ...row]));
    terminal.result(tableLines(["Number", "Club", ...heads], rows));
    terminal.result(
      `${counted(rows.length, "finding")} at ${found.length} of ${counted(clubs.length, "club")}.`,
    );
  }
  if (folder !== true) {
    await mkdir(folder, { recursive: true });
    for (const club of found)
      await writeFile(join(folder, `club-${club.number ?? club.id}.csv`), toCsv([heads, ...toRows(club)]));
    terminal.note(`${counted(found.length, "file")} written to ${folder}.`);
  }
  return found.length > 0 ? exitCode.refused : exitCode.done;
}

/** With a mark of its encoding, without which a spreadsheet garbles letters. */
const toCsv = (rows: readonly (readonly string[])[]) =>
  `\ufeff${rows.map((row) => `${row.map(writeCsvCell).join(";")}\r\n`).join("")}`;
