import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { scanInSegments } from "../../core/aws/segmented-scan.ts";
import type { StoredCard } from "../../core/cards/card.ts";
import { erasure, isErasable, type Person, type PersonRole, roleOn } from "../../core/cards/person-data.ts";
import { scorecardWriter, storedCard } from "../../core/cards/scorecard-table.ts";
import { isMembersLifeTimeId, isUnionId } from "../../core/formats/identifiers.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { findTarget } from "../find-target.ts";
import { tableLines } from "../table-lines.ts";
import type { TargetStage } from "../target.ts";
import { counted, type Terminal } from "../terminal.ts";

/** Options of `scorecards person find` and `scorecards person erase`. */
export interface PersonOptions extends Person {
  readonly stage: TargetStage;
  readonly json?: true;
}

/** The result for a card that names the person. */
type Finding = "found" | "erased" | "to be delivered" | "changed meanwhile";

interface PersonCard {
  readonly card: StoredCard;
  readonly role: PersonRole;
  readonly finding: Finding;
}

/**
 * `scorecards person find|erase`: lists the stored cards that name a person, and erases the person from those that have
 * an outcome. Exit code `done` if none is left to be erased.
 */
export async function personCommand(
  erase: boolean,
  options: PersonOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const person = readPerson(options);
  const { outputs, client } = await findTarget(options.stage);
  const dynamodb = new DynamoDBClient(client("dynamodb"));
  const table = scorecardWriter(outputs.ScorecardTableName, dynamodb);
  const found: PersonCard[] = [];
  let scanned = 0;

  await scanInSegments(dynamodb, outputs.ScorecardTableName, async (items) => {
    terminal.signal.throwIfAborted();
    for (const card of items.flatMap((item) => storedCard(item) ?? [])) {
      scanned += 1;
      const role = roleOn(card, person);
      if (role === undefined) continue;
      let finding: Finding = "found";
      if (erase && !isErasable(card, Date.now())) finding = "to be delivered";
      else if (erase) {
        const [result] = await table.write([erasure(card, role)]);
        finding = result === "written" ? "erased" : "changed meanwhile";
      }
      found.push({ card, role, finding });
    }
  });

  const rows = found.map(({ card, role, finding }) => {
    const { apiSet, externalId, state, acceptedAt } = card;
    return { apiSet, externalId, role, state, acceptedAt: new Date(acceptedAt).toISOString(), finding };
  });
  const left = erase ? found.filter(({ finding }) => finding !== "erased").length : 0;
  if (options.json) terminal.json({ scanned, left, cards: rows });
  else {
    if (rows.length > 0) {
      const head = ["Vendor", "ExternalID", "As", "State", "Accepted", "Result"];
      terminal.result(tableLines(head, rows.map(Object.values<string>)));
    }
    terminal.result(`${counted(found.length, "card")} of ${scanned} name this person.`);
    if (left > 0) {
      terminal.result(
        `${counted(left, "card")} may still be posted. Run the same command two hours after their outcome.`,
      );
    }
  }
  return left > 0 ? exitCode.refused : exitCode.done;
}

function readPerson({ unionId, lifeTimeId }: PersonOptions): Person {
  if (unionId === undefined && lifeTimeId === undefined) {
    throw new Error("The person is missing. Give --union-id, --lifetime-id, or both.");
  }
  if (unionId !== undefined && !isUnionId(unionId)) {
    throw new Error("The UnionID is invalid. Give a club number, a hyphen and a member number, e.g. 32-1.");
  }
  if (lifeTimeId !== undefined && !isMembersLifeTimeId(lifeTimeId)) {
    throw new Error("The LifeTimeID is invalid. Give six and three characters with a hyphen, or 12 digits.");
  }
  return { ...(unionId !== undefined && { unionId }), ...(lifeTimeId !== undefined && { lifeTimeId }) };
}
