import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SQSClient } from "@aws-sdk/client-sqs";
import { secretReader } from "../../core/aws/secret-reader.ts";
import { scanInSegments } from "../../core/aws/segmented-scan.ts";
import { scorecardWriter, storedCard } from "../../core/cards/delivery/scorecard-table.ts";
import type { StoredCard } from "../../core/cards/life/card.ts";
import {
  erasure,
  hasErasable,
  isErasable,
  isPlayerErased,
  type PersonOnCard,
  personOn,
  personsCopy,
} from "../../core/cards/person-data.ts";
import { mapSettled } from "../../core/formats/chunks.ts";
import { isMembersLifeTimeId, isUnionId } from "../../core/formats/identifiers.ts";
import { type NamesPerson, namesPerson, type Person } from "../../core/formats/named-person.ts";
import { claimedCard } from "../../core/records/claimed-rows.ts";
import { checkKey, describeTable } from "../backup/restored-table.ts";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { findTarget } from "../base/find-target.ts";
import { tableLines } from "../base/table-lines.ts";
import type { Target, TargetStage } from "../base/target.ts";
import { counted, type Terminal } from "../base/terminal.ts";
import { expiryOf, type FoundData, type HeldData, type TableSearch } from "./held-data.ts";
import { searchPlayers } from "./held-digests.ts";
import { searchActivity, searchEndpoints, searchQueue } from "./other-places.ts";

/** Options of `scorecards person find`, `erase` and `export`. */
export interface PersonOptions extends Person {
  readonly stage: TargetStage;
  /** Tables of cards that were restored from a backup, to be looked through as well. */
  readonly table?: readonly string[];
  readonly json?: true;
}

/** What the command does with what it finds. */
export type PersonTask = "find" | "erase" | "export";

interface PersonCard {
  readonly card: StoredCard;
  readonly person: PersonOnCard;
  readonly table: string;
  readonly finding: FoundData;
  readonly until?: string;
}

/** What was found so far; an erasure that fails reports it. */
interface FoundOfPerson {
  /** How many cards were read. */
  scanned: number;
  readonly cards: PersonCard[];
  /** Cards whose player had been erased before, by `claimedCard`. */
  readonly erasedBefore: Set<string>;
  readonly held: HeldData[];
  readonly notLookedAt: string[];
}

interface ReportOptions {
  readonly erase: boolean;
  readonly isFinished: boolean;
  readonly json: true | undefined;
}

/** What no command reaches. docs/privacy.md says more. */
const notReached = [
  "backups, until 35 days after the change: if a table is restored, run this again with --table",
  "the union, which erases by its own rules",
  "vendors and their webhook endpoints, which have what they sent and what they were answered",
] as const;

/**
 * `scorecards person find|erase|export`: looks through all that is held of a person, erases what can be, or prints it as JSON.
 * Exit code `done` if nothing is left that can be erased. An erasure that has not looked everywhere does not know that.
 */
export async function personCommand(
  task: PersonTask,
  options: PersonOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const person = readPerson(options);
  const names = namesPerson(person);
  const erase = task === "erase";
  const target = await findTarget(options.stage, erase ? terminal : undefined);
  const dynamodb = new DynamoDBClient(target.client("dynamodb"));
  const restored = options.table ?? [];
  // A table of something else has no cards: the person would count as erased from it.
  for (const table of restored) checkKey(await describeTable(dynamodb, table), "cards");
  const found: FoundOfPerson = { scanned: 0, cards: [], erasedBefore: new Set(), held: [], notLookedAt: [] };
  try {
    for (const table of [target.outputs.ScorecardTableName, ...restored])
      await lookThroughCards(erase, names, table, dynamodb, terminal, found);
    await lookElsewhere(erase, person, names, found, target, dynamodb);
  } catch (error) {
    // Another run does not find what this one has erased, so this report is the only record of it.
    if (erase) printReport(found, { erase, isFinished: false, json: options.json }, terminal);
    throw error;
  }

  if (task === "export") {
    const { scanned, cards, held, notLookedAt } = found;
    const copies = cards.map(({ card, person: found }) => personsCopy(card, found));
    const others = held.map(({ place, what, text, until }) => ({ place, what, text, until }));
    terminal.json({ scanned, cards: copies, others, notLookedAt, notReached });
    return exitCode.done;
  }
  const isComplete = printReport(found, { erase, isFinished: true, json: options.json }, terminal);
  return isComplete ? exitCode.done : exitCode.refused;
}

/** @returns false if something is left that could be erased, or may be */
function printReport(
  { scanned, cards, held, notLookedAt }: FoundOfPerson,
  { erase, isFinished, json }: ReportOptions,
  terminal: Terminal,
): boolean {
  const left = erase
    ? cards.filter(({ finding }) => finding === "to be delivered" || finding === "changed meanwhile")
    : [];
  const rows = cards.map(({ card, person: { role, pointers, inExternalId }, finding, until }) => {
    const { apiSet, externalId, state, acceptedAt } = card;
    const at = [...pointers, ...(inExternalId && !pointers.includes("/ExternalID") ? ["/ExternalID"] : [])];
    return {
      apiSet,
      externalId,
      role,
      state,
      acceptedAt: new Date(acceptedAt).toISOString(),
      finding,
      at,
      until,
    };
  });
  const others = held.map(({ text: _text, ...one }) => one);
  const result = { scanned, left: left.length, isFinished, cards: rows, others, notLookedAt, notReached };
  if (json) terminal.json(result);
  else printTables({ rows, others, scanned, left: left.length, erase, isFinished, notLookedAt }, terminal);
  return left.length === 0 && (!erase || notLookedAt.length === 0);
}

async function lookThroughCards(
  erase: boolean,
  names: NamesPerson,
  tableName: string,
  dynamodb: DynamoDBClient,
  terminal: Terminal,
  found: FoundOfPerson,
): Promise<void> {
  const table = scorecardWriter(tableName, dynamodb);
  await scanInSegments(dynamodb, tableName, async (items) => {
    terminal.signal.throwIfAborted();
    for (const item of items) {
      const card = storedCard(item);
      if (card === undefined) continue;
      found.scanned += 1;
      if (isPlayerErased(card)) found.erasedBefore.add(claimedCard(card));
      const person = personOn(card, names);
      if (person === undefined) continue;
      const record = (finding: FoundData) =>
        found.cards.push({ card, person, table: tableName, finding, ...expiryOf(item) });
      let finding: FoundData = "found";
      if (erase && !hasErasable(person)) finding = "kept";
      else if (erase && !isErasable(card, Date.now())) finding = "to be delivered";
      else if (erase) {
        const [result] = await table.write([erasure(card, person, names)]).catch((error: unknown) => {
          record("maybe erased");
          throw error;
        });
        finding = result === "written" ? "erased" : "changed meanwhile";
      }
      record(finding);
    }
  });
}

/** Looks through what is not the content of a card. A stack that was deployed before has not the names of all places. */
async function lookElsewhere(
  erase: boolean,
  { unionId }: Person,
  names: NamesPerson,
  { cards, erasedBefore, held, notLookedAt }: FoundOfPerson,
  { outputs, client }: Target,
  dynamodb: DynamoDBClient,
): Promise<void> {
  const sqs = new SQSClient(client("sqs"));
  const own = cards.filter(({ person }) => person.role === "player").map(({ card }) => claimedCard(card));
  const named = { own: new Set(own), erased: erasedBefore };
  const { PlayerHashSecretArn, WebhookTableName, WebhookQueueUrl, DeadWebhookQueueUrl } = outputs;
  const readSecret =
    PlayerHashSecretArn &&
    secretReader(new SecretsManagerClient(client("secretsManager")), PlayerHashSecretArn);
  const hashed = unionId === undefined || !readSecret ? undefined : { unionId, secret: await readSecret() };
  const hasWebhooks = WebhookTableName && WebhookQueueUrl && DeadWebhookQueueUrl;
  const search = (table: string): TableSearch => ({ erase, table, client: dynamodb, held });
  const lookIn = (place: Parameters<typeof searchQueue>[2], queueUrl: string) =>
    searchQueue(erase, names, place, queueUrl, sqs, held);
  const places = [
    () => searchActivity({ ...search(outputs.ActivityTableName), names, cards: named }),
    () => lookIn("dead letters", outputs.DeadLetterQueueUrl),
    ...(hasWebhooks
      ? [
          () => searchEndpoints(search(WebhookTableName), names),
          () => lookIn("webhooks that wait", WebhookQueueUrl),
          () => lookIn("dead letters", DeadWebhookQueueUrl),
        ]
      : []),
  ];
  // A queue is polled for seconds before it counts as empty, so all are looked through at once.
  await mapSettled(places, places.length, (look) => look());
  if (!hasWebhooks) notLookedAt.push("webhooks: deploy the stack again with this version");
  if (unionId === undefined) notLookedAt.push("remembered players and rounds: give --union-id");
  else if (hashed === undefined)
    notLookedAt.push("remembered players and rounds: deploy the stack again with this version");
  else await searchPlayers(search(outputs.ScorecardTableName), hashed);
}

interface Report {
  readonly rows: readonly {
    readonly at: readonly string[];
    readonly until: string | undefined;
    readonly [name: string]: unknown;
  }[];
  readonly others: readonly Omit<HeldData, "text">[];
  readonly scanned: number;
  readonly left: number;
  readonly erase: boolean;
  readonly isFinished: boolean;
  readonly notLookedAt: readonly string[];
}

function printTables(
  { rows, others, scanned, left, erase, isFinished, notLookedAt }: Report,
  terminal: Terminal,
): void {
  const cell = (value: unknown) => (Array.isArray(value) ? value.join(" ") : String(value ?? ""));
  if (rows.length > 0) {
    const head = ["Vendor", "ExternalID", "As", "State", "Accepted", "Result", "Where", "Goes at"];
    terminal.result(
      tableLines(
        head,
        rows.map((row) => Object.values(row).map(cell)),
      ),
    );
  }
  if (others.length > 0) {
    const lines = others.map(({ place, what, finding, until }) => [place, what, finding, until ?? ""]);
    terminal.result(tableLines(["Place", "What", "Result", "Goes at"], lines));
  }
  terminal.result(
    `${counted(rows.length, "card")} of ${scanned} name this person, and ${counted(others.length, "other entry").replace("entrys", "entries")}.`,
  );
  if (!isFinished)
    terminal.result(
      "Unfinished: an error ended the erasure. Keep this report, and run the same command again.",
    );
  if (left > 0)
    terminal.result(
      `${counted(left, "card")} may still be posted. Run the same command two hours after their outcome.`,
    );
  if (erase && notLookedAt.length > 0)
    terminal.result("The erasure is not complete, because it has not looked everywhere.");
  for (const place of notLookedAt) terminal.result(`Not looked through: ${place}.`);
  if (erase) for (const place of notReached) terminal.result(`Not reached: ${place}.`);
}

function readPerson({ unionId, lifeTimeId, name }: PersonOptions): Person {
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
  return {
    ...(unionId !== undefined && { unionId }),
    ...(lifeTimeId !== undefined && { lifeTimeId }),
    ...(name !== undefined && { name }),
  };
}
