import { keyOfStatement, parseStatement } from "@scorecard-pipeline/local-aws/dynamodb";
import { packedContent } from "../../../core/cards/card-content.ts";
import type { FaultyPipeline } from "./faulty-pipeline.ts";

/** The posts that the table recorded of each content of a card. A content is named by the card's Comment. */
export interface RecordedOutcomes {
  /**
   * When its last post was recorded for the first time, in milliseconds since 1970: that of its outcome, or the second post of a
   * correction that had to wait; undefined if it has none.
   */
  lastPostAt(apiSet: string, externalId: string, comment: string): number | undefined;
}

/** A value as it is on the wire. */
interface WireValue {
  readonly S?: string;
  readonly B?: string;
  readonly N?: string;
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
  const lastPosts = new Map<string, number>();
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
    const { state, mustWait, reposted, version } = item;
    const hasSecondPost = state?.S === "delivered" && mustWait?.BOOL;
    const isOver = hasSecondPost
      ? reposted !== undefined && reposted.N === version?.N
      : state?.S === "delivered" || state?.S === "rejected";
    if (isOver && !lastPosts.has(name)) lastPosts.set(name, Date.now());
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
    lastPostAt: (apiSet, externalId, comment) => lastPosts.get(nameOf(`${apiSet}#${externalId}`, comment)),
  };
}
