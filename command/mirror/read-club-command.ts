import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { courseTable } from "../../core/register/course-table.ts";
import { readVersion } from "../../core/register/record.ts";
import { courseRegister } from "../../core/register/union-register.ts";
import { unionAccounts } from "../../core/union/account-secrets.ts";
import { UnionUnavailableError } from "../../core/union/union-unavailable-error.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { findTarget } from "../base/find-target.ts";
import { findClub, namedClub } from "../base/named-club.ts";
import type { TargetStage } from "../base/target.ts";
import { counted, type Terminal } from "../base/terminal.ts";
import { typedCommand } from "../base/typed-command.ts";

/** Options of `scorecards mirror --club`. */
export interface ReadClubOptions {
  readonly stage: TargetStage;
  /** The club's ID, or its official number. */
  readonly club: string;
  readonly json?: true;
}

const timeoutMilliseconds = 20_000;

/**
 * `scorecards mirror --club ID`: reads all courses of one club from the union now, and stores those that have changed. It
 * removes nothing; the nightly sync does. Exit code `refused` if the union has no such club, or some courses cannot be read.
 */
export async function readClubCommand(
  { stage, club, json }: ReadClubOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { outputs, client, stage: deployed } = await findTarget(stage);
  const dynamodb = new DynamoDBClient(client("dynamodb"));
  const { id, name } = namedClub(await findClub(outputs.ClubTableName, dynamodb, club));
  const accounts = unionAccounts(new SecretsManagerClient(client("secretsManager")), () => new Date());
  const account = await accounts.get(`scorecards/${deployed}/mirror`);
  const register = courseRegister(outputs.UnionAddress, timeoutMilliseconds);
  const listing = await register.courses(account, id).catch((cause: unknown) => {
    if (!(cause instanceof UnionUnavailableError)) throw cause;
    const repair = typedCommand("account mirror USERNAME", stage);
    throw new Error(
      `The courses of ${name} were not read: ${cause.message} If it refuses the account, store the right one: ${repair}`,
      { cause },
    );
  });
  const { entries, skipped } = listing ?? { entries: [], skipped: [] };
  const changed = await courseTable(outputs.CourseTableName, dynamodb).put(id, entries, Date.now());

  const versions = changed
    .map(({ text }) => readVersion(text))
    .map(({ ID, Name, Version }) => ({ ID, Name, Version }));
  if (json)
    terminal.json({
      club: id,
      name,
      known: listing !== undefined,
      read: entries.length,
      changed: versions,
      skipped,
    });
  else if (listing === undefined) terminal.result(`The union says that it knows no club ${name} (${id}).`);
  else {
    terminal.result([
      `${name}: ${counted(entries.length, "course version")} read, ${changed.length} changed.`,
      ...versions.map(({ ID, Name, Version }) => `  ${Name}, version ${Version} (${ID})`),
      ...skipped.map((reason) => `  Not mirrored: ${reason}`),
      "Vendors read it within 20 seconds, and cards are checked against it within five minutes.",
    ]);
  }
  return listing === undefined || skipped.length > 0 ? exitCode.refused : exitCode.done;
}
