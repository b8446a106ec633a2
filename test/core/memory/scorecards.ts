import type { ApiSet } from "../../../core/accounts/account.ts";
import { TableBatchError, type WriteResult } from "../../../core/aws/batch.ts";
import type { Breaker } from "../../../core/cards/delivery/breaker.ts";
import type { ScorecardTable } from "../../../core/cards/delivery/scorecard-table.ts";
import {
  type CardChange,
  type CardKey,
  type ExpectedCard,
  isMissedByWithdrawal,
  type StoredCard,
} from "../../../core/cards/life/card.ts";
import { key } from "./stored-card.ts";

const idOf = ({ apiSet, externalId }: CardKey) => `${apiSet}#${externalId}`;
const sortKey = ({ since, externalId }: StoredCard) => `${new Date(since).toISOString()}#${externalId}`;

function holds(expects: ExpectedCard | undefined, card: StoredCard | undefined): boolean {
  if (expects === undefined || card === undefined) return expects === undefined && card === undefined;
  const { version, states, ...others } = expects;
  const isAsRead = Object.entries(others).every(([name, value]) => card[name as keyof StoredCard] === value);
  return card.version === version && states.includes(card.state) && isAsRead;
}

/** A scorecard table in memory. The store's contract is tested with it too. */
export function scorecardsInMemory() {
  const cards = new Map<string, StoredCard>();
  const breakers = new Map<ApiSet, Breaker>();
  /** The changes that were made, in order. */
  const changes: CardChange[] = [];
  /** Each card after each of its changes, in order. */
  const history: StoredCard[] = [];
  const requests = { reads: 0, writes: 0 };
  const hooks = {
    /** Comes before each read; may wait, or throw. */
    beforeRead: async (_keys: readonly CardKey[]): Promise<void> => undefined,
    /** Comes before each write; may wait, or throw. */
    beforeWrite: async (_changes: readonly CardChange[]): Promise<void> => undefined,
  };
  let refusals = 0;
  const lateWrites: ((results: () => WriteResult[]) => void)[] = [];

  function maybeRefuse() {
    if (refusals === 0) return;
    refusals--;
    throw new TableBatchError("scorecards", { cause: new Error("throttled") });
  }

  /** Names of cards whose reads, or writes, are refused by themselves. */
  const refused = { reads: new Set<string>(), writes: new Set<string>() };

  function apply(change: CardChange): WriteResult {
    const { apiSet, externalId, expects, set } = change;
    const card = cards.get(idOf(change));
    if (!holds(expects, card)) return "lost";
    const changed = { earlier: [], ...card, ...set, apiSet, externalId } as StoredCard;
    cards.set(idOf(change), changed);
    history.push(changed);
    changes.push(change);
    return "written";
  }

  const table: ScorecardTable = {
    async read(keys) {
      requests.reads++;
      await hooks.beforeRead(keys);
      maybeRefuse();
      return [...new Set(keys.map(idOf))].flatMap((id) => cards.get(id) ?? []);
    },
    async write(wanted) {
      requests.writes++;
      await hooks.beforeWrite(wanted);
      maybeRefuse();
      const late = lateWrites.shift();
      if (late === undefined) return wanted.map(apply);
      late(() => wanted.map(apply));
      throw new TableBatchError("scorecards", { cause: new Error("no answer") });
    },
    async tryWrite(wanted) {
      const [out = [], taken = []] = [true, false].map((isRefused) =>
        wanted.filter(({ externalId }) => refused.writes.has(externalId) === isRefused),
      );
      const results = new Map((await table.write(taken)).map((result, n) => [taken[n], result] as const));
      return wanted.map((change) => (out.includes(change) ? "refused" : (results.get(change) ?? "lost")));
    },
    async tryRead(apiSet, externalIds) {
      const unread = new Set(externalIds.filter((externalId) => refused.reads.has(externalId)));
      const read = await table.readWithBreaker(
        apiSet,
        externalIds.filter((externalId) => !unread.has(externalId)),
      );
      return { ...read, unread };
    },
    async readWithBreaker(apiSet, externalIds) {
      const keys = externalIds.map((externalId) => ({ apiSet, externalId }));
      if (keys.length === 0) maybeRefuse();
      const cards = keys.length === 0 ? [] : await table.read(keys);
      return { breaker: breakers.get(apiSet) ?? { version: 0 }, cards };
    },
    async writeBreaker(apiSet, read, open, times = {}) {
      maybeRefuse();
      if ((breakers.get(apiSet)?.version ?? 0) !== read.version) return undefined;
      const next = { ...read, ...times, version: read.version + 1, open };
      breakers.set(apiSet, next);
      return next;
    },
    async inState(apiSet, state, limit, after) {
      const listed = [...cards.values()]
        .filter((card) => card.apiSet === apiSet && card.state === state)
        .filter((card) => card.state !== "retrying" || card.suspicion !== undefined)
        .filter((card) => card.state !== "withdrawn" || isMissedByWithdrawal(card))
        .map(sortKey)
        .filter((place) => after === undefined || place < after)
        .sort()
        .reverse();
      const page = listed.slice(0, limit);
      const last = page.at(-1);
      return {
        externalIds: page.map((place) => place.slice(place.indexOf("#") + 1)),
        ...(last !== undefined && page.length === limit && { next: last }),
      };
    },
  };

  return {
    table,
    changes,
    history,
    requests,
    hooks,
    refused,
    put(...all: readonly StoredCard[]) {
      for (const card of all) cards.set(idOf(card), card);
    },
    /** What is stored of a card; of the vendor green where only its name is said. */
    of: (card: string | CardKey) => cards.get(idOf(typeof card === "string" ? key(card) : card)),
    breaker: (apiSet: ApiSet) => breakers.get(apiSet)?.open,
    breakerItem: (apiSet: ApiSet) => breakers.get(apiSet),
    /** Has the next requests refused, as a throttled table does. */
    refuse(times: number) {
      refusals = times;
    },
    /** Has the next write fail without an answer. @returns a function that carries it out after all */
    delayNextWrite() {
      const carryOut = Promise.withResolvers<() => WriteResult[]>();
      lateWrites.push(carryOut.resolve);
      return async () => (await carryOut.promise)();
    },
  };
}
