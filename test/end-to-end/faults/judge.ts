import { isDeepStrictEqual } from "node:util";
import type { FaultyPipeline } from "./faulty-pipeline.ts";
import type { RecordedOutcomes } from "./recorded-outcomes.ts";

/** What a vendor knows of a card it has sent. */
export interface SentCard {
  readonly apiSet: string;
  readonly externalId: string;
  /** What each answer 201 echoed, in order; the last one is to be delivered. */
  readonly accepted: unknown[];
  /** Status that the exchange answers every post with it, where it is a bad one. */
  readonly poison?: number | undefined;
  /** Answer to its withdrawal, and when it came. */
  withdrawal?: { readonly status: number; readonly at: number };
}

/** What became of all cards, held against what the exchange has received and what the vendors were answered. */
export interface Judgement {
  readonly delivered: number;
  readonly rejected: number;
  readonly withdrawn: number;
  /** Bad cards that break the exchange, and are still tried. */
  readonly retrying: number;
  /** Cards that are not where they belong yet. */
  readonly unsettled: number;
  /** Posts of cards beyond one for each content; all of them because an outcome was not recorded. */
  readonly repeats: number;
  /** Names of cards of which something that must hold does not. */
  readonly violations: {
    /** Delivered by their state, but the last thing that the exchange received is not the last that was accepted. */
    readonly notAsSubmitted: readonly string[];
    /** Received in an older content after a newer one. */
    readonly stale: readonly string[];
    /** Received again after the outcome of the same content had been recorded, or the second post of a correction that had to wait. */
    readonly repeated: readonly string[];
    /** Received after a withdrawal had been answered 204. */
    readonly withdrawn: readonly string[];
  };
}

const pageSize = 100;
/** A post of a second message may have begun before the outcome was recorded: no longer than a delivery lasts. */
const underWayMilliseconds = 4000;

async function statesOf(pipeline: FaultyPipeline, sent: readonly SentCard[]): Promise<Map<SentCard, string>> {
  const states = new Map<SentCard, string>();
  for (const { username, password, apiSet } of pipeline.accounts) {
    const own = sent.filter((one) => one.apiSet === apiSet);
    const headers = { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
    for (let next = 0; next < own.length; next += pageSize) {
      const page = own.slice(next, next + pageSize);
      const query = page.map(({ externalId }) => `ExternalID=${encodeURIComponent(externalId)}`).join("&");
      const answer = await fetch(`${pipeline.run.api}/${apiSet}/ScorecardExchange?${query}`, { headers });
      if (answer.status !== 200) throw new Error(`Statuses: ${answer.status} ${await answer.text()}`);
      const { cards } = (await answer.json()) as { cards: { state: string }[] };
      for (const [n, one] of page.entries()) states.set(one, cards[n]?.state ?? "unknown");
    }
  }
  return states;
}

/** Whether a card is in the state that it, and what was wrong with it, calls for. */
function belongs({ poison, withdrawal }: SentCard, state: string): boolean {
  if (withdrawal?.status === 204) return state === "withdrawn";
  // A bad card is rejected once others have shown often enough that the exchange works.
  if (poison !== undefined) return state === "rejected" || state === "retrying";
  return state === "delivered";
}

/** Judges all cards as they are now. */
export async function judge(
  pipeline: FaultyPipeline,
  sent: readonly SentCard[],
  recorded: RecordedOutcomes,
): Promise<Judgement> {
  const states = await statesOf(pipeline, sent);
  const received = Map.groupBy(pipeline.standIn.received, ({ apiSet, card }) =>
    JSON.stringify([apiSet, (card as { ExternalID: string }).ExternalID]),
  );
  const count = (state: string) => [...states.values()].filter((one) => one === state).length;
  const violations = {
    notAsSubmitted: [] as string[],
    stale: [] as string[],
    repeated: [] as string[],
    withdrawn: [] as string[],
  };
  let repeats = 0;
  for (const card of sent) {
    const { apiSet, externalId, accepted, withdrawal } = card;
    const name = `${apiSet}: ${externalId}`;
    const entries = received.get(JSON.stringify([apiSet, externalId])) ?? [];
    const versions = entries.map((entry) => accepted.findIndex((one) => isDeepStrictEqual(one, entry.card)));
    repeats += entries.length - new Set(versions).size;

    const last = versions.at(-1);
    if (states.get(card) === "delivered" && last !== accepted.length - 1)
      violations.notAsSubmitted.push(name);
    if (versions.some((version, n) => version < (versions[n - 1] ?? 0))) violations.stale.push(name);
    const isRepeated = entries.some((entry) => {
      const { Comment } = entry.card as { Comment: string };
      const lastPost = recorded.lastPostAt(apiSet, externalId, Comment) ?? Number.POSITIVE_INFINITY;
      return entry.at.getTime() > lastPost + underWayMilliseconds;
    });
    if (isRepeated) violations.repeated.push(name);
    const late = entries.some(({ at }) => withdrawal?.status === 204 && at.getTime() > withdrawal.at);
    if (late) violations.withdrawn.push(name);
  }
  return {
    delivered: count("delivered"),
    rejected: count("rejected"),
    withdrawn: count("withdrawn"),
    retrying: count("retrying"),
    unsettled: sent.filter((card) => !belongs(card, states.get(card) ?? "unknown")).length,
    repeats,
    violations,
  };
}
