import { packedContent } from "../../../core/dynamodb/packed-json.ts";
import { keyOfStatement, parseStatement } from "../../../local/aws/dynamodb/statement.ts";
import type { FaultyPipeline } from "./faulty-pipeline.ts";

/** What the table recorded of each content of a card. A content is named by the card's Comment. */
export interface RecordedOutcomes {
  /** When its outcome was recorded for the first time, in milliseconds since 1970; undefined if it has none. */
  at(apiSet: string, externalId: string, comment: string): number | undefined;
  /** Whether it had to wait for posts of an earlier content, so that it is posted once more after its outcome. */
  hadToWait(apiSet: string, externalId: string, comment: string): boolean;
}

/** A value as it is on the wire. */
interface WireValue {
  readonly S?: string;
  readonly B?: string;
  readonly BOOL?: boolean;
}
type WireItem = Record<string, WireValue>;

interface StatementBatch {
  readonly Statements: readonly { readonly Statement: string; readonly Parameters: readonly WireValue[] }[];
}
interface BatchAnswer {
  readonly Responses: readonly { readonly Error?: unknown }[];
}

function commentOf({ content }: WireItem): string | undefined {
  const card: { readonly Comment?: string } = JSON.parse(
    packedContent(Buffer.from(content?.B ?? "", "base64")).text(),
  );
  return card.Comment;
}

/** Watches what the table has written. */
export function watchOutcomes({ dynamodb }: FaultyPipeline): RecordedOutcomes {
  const items = new Map<string, WireItem>();
  const outcomes = new Map<string, number>();
  const waited = new Set<string>();
  const nameOf = (id: string, comment: string | undefined) => JSON.stringify([id, comment]);

  function written({ Statement, Parameters }: StatementBatch["Statements"][number]): void {
    const statement = parseStatement(Statement);
    const id = keyOfStatement(statement, Parameters, ["id"]).id?.S ?? "";
    if (!id.includes("#")) return;
    const names = statement.kind === "insert" ? statement.attributes : statement.sets;
    const changed = Object.fromEntries(names.map((name, place) => [name, Parameters[place] ?? {}]));
    const item = { ...items.get(id), ...changed };
    items.set(id, item);
    const name = nameOf(id, commentOf(item));
    if (item.mustWait?.BOOL) waited.add(name);
    const isOutcome = changed.state?.S === "delivered" || changed.state?.S === "rejected";
    if (isOutcome && !outcomes.has(name)) outcomes.set(name, Date.now());
  }

  dynamodb.done = (operation, passedOn, answered) => {
    if (operation !== "BatchExecuteStatement") return;
    const { Statements } = JSON.parse(passedOn) as StatementBatch;
    const { Responses } = JSON.parse(answered) as BatchAnswer;
    for (const [place, statement] of Statements.entries()) {
      if (Responses[place]?.Error === undefined) written(statement);
    }
  };
  return {
    at: (apiSet, externalId, comment) => outcomes.get(nameOf(`${apiSet}#${externalId}`, comment)),
    hadToWait: (apiSet, externalId, comment) => waited.has(nameOf(`${apiSet}#${externalId}`, comment)),
  };
}
