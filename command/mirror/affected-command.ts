import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { erasedHash } from "../../core/cards/life/card.ts";
import { State } from "../../core/cards/life/states.ts";
import { guidKey } from "../../core/formats/identifiers.ts";
import type { Scorecard } from "../../core/golf/scorecard.ts";
import { closestTee } from "../../core/golf/tee-of-card.ts";
import { courseFinder } from "../../core/register/course-table.ts";
import { versionsOfCourse } from "../../core/register/record.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { findTarget } from "../base/find-target.ts";
import { scanCards } from "../base/scan-cards.ts";
import { tableLines } from "../base/table-lines.ts";
import type { TargetStage } from "../base/target.ts";
import { counted, type Terminal } from "../base/terminal.ts";

/** Options of `scorecards affected`. */
export interface AffectedOptions {
  readonly stage: TargetStage;
  /** When the cards were delivered at the earliest, in milliseconds since 1970, UTC. */
  readonly since: number;
  readonly json?: true;
}

/**
 * `scorecards affected COURSE`: the delivered cards with numbers of the course that the union has corrected since, by vendor. It reads
 * the whole table of cards, since no list has them by course, and sends nothing. Exit code `done` if there is none.
 */
export async function affectedCommand(
  course: string,
  { stage, since, json }: AffectedOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { outputs, client } = await findTarget(stage);
  const dynamodb = new DynamoDBClient(client("dynamodb"));
  const versions = (await courseFinder(outputs.CourseTableName, dynamodb).course(course)).map(
    ({ version }) => version,
  );
  if (versions.length === 0)
    throw new Error(`No course ${course} is mirrored. Give the ID of a version, or the TemplateID.`);
  const found: { vendor: string; externalId: string; startTime: string; numbers: string }[] = [];
  const filter = {
    condition: "#state = :delivered AND #since >= :since",
    values: { ":delivered": { S: State.delivered }, ":since": { N: String(since) } },
  };
  const { note } = terminal;
  await scanCards({ dynamodb, table: outputs.ScorecardTableName, note }, filter, async (cards) => {
    for (const card of cards) {
      if (card.contentHash === erasedHash) continue;
      const { Course, Round } = card.content.card() as Scorecard;
      const ofCourse = versionsOfCourse(versions, guidKey(Course.CourseID ?? ""));
      // Its numbers were filled in or checked: if they differ from every version, they were corrected since.
      const numbers = (closestTee(Course, ofCourse)?.mismatches ?? [])
        .map(({ pointer, received, expected }) => `${pointer.slice(8)} ${received}, now ${expected}`)
        .join("; ");
      const { apiSet: vendor, externalId } = card;
      if (numbers !== "") found.push({ vendor, externalId, startTime: Round.StartTime, numbers });
    }
  });
  found.sort((one, other) => (one.vendor + one.externalId < other.vendor + other.externalId ? -1 : 1));
  if (json) terminal.json(found);
  else {
    const rows = found.map(Object.values);
    terminal.result(tableLines(["Vendor", "ExternalID", "Round", "Delivered with"], rows));
    terminal.result(
      `${counted(found.length, "delivered card")} with numbers that the register does not have any more.`,
    );
  }
  return found.length > 0 ? exitCode.refused : exitCode.done;
}
