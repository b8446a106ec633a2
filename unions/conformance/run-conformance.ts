import type { Assumption, Need, UnionUnderTest } from "./assumption.ts";
import { assumptions } from "./assumptions.ts";
import { type ConformanceOptions, type UnionReply, unionRequests } from "./union-requests.ts";

/** What became of one assumption. */
export interface ConformanceResult {
  readonly name: string;
  readonly outcome: "holds" | "differs" | "not asked" | "not seen";
  /** What was seen, or why it was not asked. */
  readonly detail: string;
}

/** Most clubs that are asked for courses until one has an active course of 18 holes. */
const maxClubs = 5;

function once<Value>(ask: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined;
  return () => (value ??= ask());
}

function unionUnderTest(options: ConformanceOptions): UnionUnderTest {
  const requests = unionRequests(options);
  const { apiSet, player } = options;
  const clubs = once(() => requests.get(`${apiSet}/Clubs`));
  const courses = once(async () => {
    const ids = ((await clubs()).json as readonly { readonly ID: string }[])
      .map(({ ID }) => ID)
      .slice(0, maxClubs);
    let first: { readonly clubId: string; readonly reply: UnionReply } | undefined;
    for (const clubId of ids) {
      const reply = await requests.get(`${apiSet}/clubs/${clubId}/courses`);
      first ??= { clubId, reply };
      const isPlayed = (version: {
        readonly IsActive?: boolean;
        readonly Tees?: readonly { readonly Holes?: readonly unknown[] }[];
      }) => version.IsActive === true && version.Tees?.some(({ Holes }) => Holes?.length === 18) === true;
      if (Array.isArray(reply.json) && reply.json.some(isPlayed))
        return { clubId, reply, versions: reply.json };
    }
    if (first === undefined) throw new Error("the union has no club");
    return { ...first, versions: Array.isArray(first.reply.json) ? first.reply.json : [] };
  });
  const member = once(() =>
    requests.get(`${apiSet}/Clubs/Golfer?${new URLSearchParams({ unionID: player ?? "" })}`),
  );
  return { ...requests, options, clubs, courses, member };
}

/** Why an assumption is not asked; undefined if it is. */
function missingFor(
  { needs = [] }: Assumption,
  { player, otherPlayer, recordsApiSet, withCards }: ConformanceOptions,
): string | undefined {
  const missing: Readonly<Record<Need, string | false>> = {
    cards: !withCards && "--cards is not given",
    records: recordsApiSet === undefined && "the union offers no records",
    player: player === undefined && "--player is not given",
    otherPlayer: otherPlayer === undefined && "--other-player is not given",
  };
  return needs.flatMap((need) => missing[need] || [])[0];
}

/**
 * Asks a union whether it is as the pipeline takes for granted, one request after the other.
 *
 * @returns one result an assumption. A request that fails is a difference, too
 */
export async function runConformance(options: ConformanceOptions): Promise<ConformanceResult[]> {
  const asked = unionUnderTest(options);
  const results: ConformanceResult[] = [];
  for (const assumption of assumptions) {
    const { name } = assumption;
    const missing = missingFor(assumption, options);
    if (missing !== undefined) {
      results.push({ name, outcome: "not asked", detail: missing });
      continue;
    }
    const seen = await assumption.check(asked).catch((error: Error) => `cannot be read: ${error.name}`);
    if (typeof seen === "object") results.push({ name, outcome: "not seen", detail: seen.unseen });
    else results.push({ name, outcome: seen === undefined ? "holds" : "differs", detail: seen ?? "" });
  }
  return results;
}

/** The results as a table in Markdown, to be pasted into docs/unions.md. */
export function conformanceTable(results: readonly ConformanceResult[]): string {
  const rows = results.map(({ name, outcome, detail }) => `| ${name} | ${outcome} | ${detail} |`);
  return ["| assumption | outcome | seen |", "| --- | --- | --- |", ...rows].join("\n");
}
