import { TableBatchError } from "../../../core/aws/batch.ts";
import type { ScorecardTable } from "../../../core/cards/delivery/scorecard-table.ts";
import { type CardChange, erasedHash, type StoredCard } from "../../../core/cards/life/card.ts";
import { isFinal } from "../../../core/cards/life/states.ts";

/** Ways to break the code on purpose, to see that the judge notices. */
export type Sabotage =
  | "noRepost"
  | "noWait"
  | "unconditionalWrites"
  | "storeFirst"
  | "noWithdrawalWait"
  | "withdrawnTooEarly"
  | "noLateNote"
  | "repostAfterRecord"
  | "assumeEchoed"
  | "breakerStaysOpen"
  | "rejectAtOnce"
  | "withdrawnAtOnce"
  | "noWaking"
  | "deleteAtOnce"
  | "failuresUnsaid"
  | "noteIsNoClaim"
  | "lostIsWritten"
  | "erasedIsPosted"
  | "wakeUpDropped"
  | "unreadStopsAll";

/** How broken code sees a card. */
const misread: Partial<Record<Sabotage, (card: StoredCard) => StoredCard>> = {
  noWait: (card) => ({ ...card, mustWait: false }),
  erasedIsPosted: (card) => (card.contentHash === erasedHash ? { ...card, contentHash: "" } : card),
  noteIsNoClaim: (card) => ({ ...card, nextAttemptAt: undefined }),
};

/** How broken code changes a card; undefined if it does not. */
const miswritten: Partial<Record<Sabotage, (change: CardChange) => CardChange | undefined>> = {
  noLateNote(change) {
    const { set, expects } = change;
    const isLate = expects?.states?.every((state) => isFinal(state) || state === "withdrawing") ?? false;
    const isRepost = set.reposted !== undefined;
    return isLate && !isRepost && (set.atExchange ?? 0) + (set.maybeAtExchange ?? 0) > 0 ? undefined : change;
  },
  rejectAtOnce: (change) =>
    change.set.suspicion === undefined
      ? change
      : { ...change, set: { ...change.set, state: "rejected", nextAttemptAt: undefined } },
  withdrawnAtOnce: (change) =>
    change.set.state === "withdrawing" ? { ...change, set: { ...change.set, state: "withdrawn" } } : change,
  noteIsNoClaim(change) {
    const { expects, set } = change;
    if (expects === undefined || set.wokenAt === undefined) return change;
    const { version, states } = expects;
    return { ...change, expects: { version, states } };
  },
};

/** The table as broken code uses it. */
export function sabotageTable(table: ScorecardTable, sabotage: Sabotage | undefined): ScorecardTable {
  if (sabotage === undefined) return table;
  const see = misread[sabotage] ?? ((card) => card);
  const change = miswritten[sabotage] ?? ((one) => one);
  const writeWith =
    <Result>(write: (changes: readonly CardChange[]) => Promise<Result[]>) =>
    async (all: readonly CardChange[]) => {
      const left = all.map(change);
      const results = await write(left.filter((one) => one !== undefined));
      return left.map((one) => {
        const result = one === undefined ? "written" : (results.shift() ?? "lost");
        return sabotage === "lostIsWritten" && result === "lost" ? "written" : result;
      });
    };
  return {
    ...table,
    read: async (keys) => (await table.read(keys)).map(see),
    async readWithBreaker(apiSet, externalIds) {
      const { breaker, cards } = await table.readWithBreaker(apiSet, externalIds);
      return { breaker, cards: cards.map(see) };
    },
    async tryRead(apiSet, externalIds) {
      const read = await table.tryRead(apiSet, externalIds);
      if (sabotage === "unreadStopsAll" && read.unread.size > 0) throw new TableBatchError("cards");
      return { ...read, cards: read.cards.map(see) };
    },
    write: writeWith(table.write),
    tryWrite: writeWith(table.tryWrite),
    writeBreaker: async (apiSet, read, open, times) =>
      sabotage === "breakerStaysOpen" && open === undefined
        ? { ...read, open }
        : table.writeBreaker(apiSet, read, open, times),
  };
}
