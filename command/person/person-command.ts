import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { isMembersLifeTimeId, isUnionId } from "../../core/formats/identifiers.ts";
import { namesPerson, type Person, resemblesPerson } from "../../core/formats/named-person.ts";
import { noteErased } from "../../core/views/erased-persons-table.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { findTarget } from "../base/find-target.ts";
import type { TargetStage } from "../base/target.ts";
import type { Terminal } from "../base/terminal.ts";
import { searchFor } from "./held-data.ts";
import { searchPlayers } from "./held-digests.ts";
import { printCopy, printReport } from "./person-report.ts";
import { readDigestSecret, searchCards, searchElsewhere } from "./search-person.ts";

/** Options of `scorecards person find`, `erase` and `export`. */
export interface PersonOptions extends Pick<Person, "unionId" | "name"> {
  readonly lifetimeId?: string;
  readonly stage: TargetStage;
  /** Spellings that are the person's, too; `true` for none. Others that resemble the name are somebody else's. */
  readonly also?: readonly string[] | true;
  readonly json?: true;
}

/** What the command does with what it finds. */
export type PersonTask = "find" | "erase" | "export";

/**
 * `scorecards person find|erase|export`: looks through all that is held of a person, erases what can be, or prints it as JSON.
 * Exit code `done` if nothing is left, and nothing resembles the person. An erasure that has not looked everywhere does not know that.
 */
export const personCommand =
  (task: PersonTask) =>
  async (options: PersonOptions, terminal: Terminal): Promise<ExitCode> => {
    const person = readPerson(options);
    const erase = task === "erase";
    const target = await findTarget(options.stage, erase ? terminal : undefined);
    const dynamodb = new DynamoDBClient(target.client("dynamodb"));
    const secret = await readDigestSecret(target);
    const { ActivityTableName, ScorecardTableName } = target.outputs;
    if (erase) await noteErased(dynamodb, ActivityTableName, secret, person, Date.now());
    const names = namesPerson(person);
    const resembles = options.also === undefined ? resemblesPerson(person) : () => [];
    const search = searchFor({ erase, names, resembles, client: dynamodb, secret });
    try {
      await searchPlayers({ ...search, table: ScorecardTableName }, person.unionId);
      await searchCards(search, ScorecardTableName, terminal.signal);
      await searchElsewhere(search, target);
    } catch (error) {
      // Another run does not find what this one has erased, so this report is the only record of it.
      if (erase) printReport(search, false, options.json, terminal);
      throw error;
    }
    const isComplete =
      task === "export" ? printCopy(search, terminal) : printReport(search, true, options.json, terminal);
    return isComplete ? exitCode.done : exitCode.refused;
  };

function readPerson({ also, unionId, lifetimeId: lifeTimeId, name }: PersonOptions): Person {
  if (unionId === undefined && lifeTimeId === undefined && name === undefined) {
    throw new Error("The person is missing. Give --union-id, --lifetime-id, --name, or several of them.");
  }
  if (unionId !== undefined && !isUnionId(unionId)) {
    throw new Error("The UnionID is invalid. Give a club number, a hyphen and a member number, e.g. 32-1.");
  }
  if (lifeTimeId !== undefined && !isMembersLifeTimeId(lifeTimeId)) {
    throw new Error("The LifeTimeID is invalid. Give six and three characters with a hyphen, or 12 digits.");
  }
  if (name !== undefined && name.trim().length < 3) {
    throw new Error("The name is too short. Give the full name, e.g. --name 'Ann Example'.");
  }
  return { unionId, lifeTimeId, name, also: Array.isArray(also) ? also : undefined };
}
