import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { clubTable } from "../../core/register/club-table.ts";
import { mirrorStateReader } from "../../core/register/mirror-state-table.ts";
import { skippedEntries } from "../../core/register/sync-report.ts";
import { ageOf, type ClubSync } from "../../core/register/sync-state.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { findTarget } from "../base/find-target.ts";
import { namedClub } from "../base/named-club.ts";
import { tableLines } from "../base/table-lines.ts";
import type { TargetStage } from "../base/target.ts";
import { counted, type Terminal } from "../base/terminal.ts";
import { typedCommand } from "../base/typed-command.ts";

/** What is wrong with a club's mirror, in words. */
function listTrouble({ failures, failure, unlisted }: ClubSync): string[] {
  const since = unlisted && new Date(unlisted.since).toISOString();
  const answer = unlisted?.unknownSince === undefined ? "has it" : "does not know it";
  return [
    ...(failures > 0
      ? [`failed ${counted(failures, "time")} in a row${failure === undefined ? "" : `: ${failure}`}`]
      : []),
    ...(since ? [`missing from the union's list since ${since}; the union, asked for it, ${answer}`] : []),
  ];
}

/**
 * `scorecards mirror`: how old the mirror is, which clubs fail and why or are missing from the union's list, and what could not be
 * mirrored. Exit code `done` if there is no such club or entry, and the union returned its list of clubs.
 */
export async function mirrorCommand(
  { stage, json }: { readonly stage: TargetStage; readonly json?: true },
  terminal: Terminal,
): Promise<ExitCode> {
  const { outputs, client } = await findTarget(stage);
  const dynamodb = new DynamoDBClient(client("dynamodb"));
  const state = await mirrorStateReader(outputs.CourseTableName, dynamodb).read();
  const mirrored = await clubTable(outputs.ClubTableName, dynamodb).all();
  const named = new Map(mirrored.map((club) => [club.id, namedClub(club)]));
  const clubs = [...state.clubs.values()];
  const oldestSeconds = Math.round(Math.max(0, ...clubs.map((club) => ageOf(club, Date.now()))) / 1000);
  const troubled = (is: (club: ClubSync) => boolean) =>
    [...state.clubs].flatMap(([id, club]) => {
      const { number, name = "" } = named.get(id) ?? {};
      return is(club) ? { id, number, name, trouble: listTrouble(club) } : [];
    });
  const failing = troubled(({ failures }) => failures > 0);
  // One that an operator has removed is in the state until the next sync.
  const unlisted = troubled((club) => club.unlisted !== undefined).filter(({ id }) => named.has(id));
  const skipped = skippedEntries(state);
  const { failure: listFailure } = state.list;
  const list = listFailure !== undefined && { listFailure };

  if (json) terminal.json({ clubs: clubs.length, failing, unlisted, oldestSeconds, skipped, ...list });
  else {
    terminal.result(
      `${counted(clubs.length, "club")}, the oldest mirrored ${counted(oldestSeconds, "second")} ago; ${failing.length} failing, ${unlisted.length} missing from the union's list.`,
    );
    if (list) terminal.result(`The union's list of clubs could not be read: ${listFailure}`);
    const rows = [...new Map([...failing, ...unlisted].map((club) => [club.id, club])).values()].map(
      ({ id, number, name, trouble }) => [number, name, id, trouble.join("; ")],
    );
    terminal.result(tableLines(["Number", "Club", "ID", "What is wrong"], rows));
    const entries = skipped.map(({ club, count, reason }) => [club, count, reason]);
    terminal.result(tableLines(["Club", "Entries not mirrored", "First reason"], entries));
    if (unlisted.length > 0)
      terminal.note(`If clubs are gone indeed, have them removed: ${typedCommand("mirror accept", stage)}`);
  }
  const isWell = !list && skipped.length + failing.length + unlisted.length === 0;
  return isWell ? exitCode.done : exitCode.refused;
}
