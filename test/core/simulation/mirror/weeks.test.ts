import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { afterEach, beforeEach, test, vi } from "vitest";
import { proofSeed, proofSize } from "../../../proofs/proof-seed.ts";
import { sleeping } from "../virtual-sleep.ts";
import { virtualTime } from "../virtual-time.ts";
import { type Sabotage, simulatedWeek } from "./simulated-weeks.ts";

// The simulated union answers in place of the network.
vi.mock("../../../../core/union/send-request.ts", async (original) => ({
  ...(await original<object>()),
  sendRequest: async (address: string) => {
    const response = await fetch(address);
    return { status: response.status, headers: response.headers, text: await response.text() };
  },
}));

const weeks = proofSeed === undefined ? 2 : 5 * proofSize;
const firstWeek = proofSeed ?? 1;
const millisecondsOfWeek = 20_000;

beforeEach(() => {
  vi.spyOn(AbortSignal, "timeout").mockReturnValue(new AbortController().signal);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function violationsOf(seed: number, sabotage?: Sabotage): Promise<string[]> {
  const time = virtualTime(Date.UTC(2026, 5, 1, 12));
  sleeping.sleep = time.sleep;
  vi.spyOn(Math, "random").mockImplementation(seededRandom(seed, "jitter").fraction);
  const week = simulatedWeek(seed, time, (fetch) => vi.stubGlobal("fetch", fetch), sabotage);
  return (await time.passUntil(week)).map((words) => `week ${seed}: ${words}`);
}

test(
  "vendors read what the union lists, and never miss what it listed last, whatever happens to either",
  async ({ expect }) => {
    const found: string[] = [];
    for (let seed = firstWeek; seed < firstWeek + weeks; seed++) {
      found.push(...(await violationsOf(seed)));
    }
    expect(found).toEqual([]);
  },
  weeks * millisecondsOfWeek,
);

/** Hands on only records whose text is new, whichever club lists them. */
const withoutMoves: Sabotage = (mirror) => {
  const known = new Map<string, string>();
  const put: typeof mirror.courses.put = (clubId, records, at) => {
    const changed = records.filter(({ id, text }) => known.get(id) !== text);
    for (const { id, text } of changed) known.set(id, text);
    return mirror.courses.put(clubId, changed, at);
  };
  return { ...mirror, courses: { ...mirror.courses, put } };
};

/** Parses each record and writes it again. */
const rewriting: Sabotage = (mirror) => ({
  ...mirror,
  union: {
    ...mirror.union,
    async courses(...given) {
      const listing = await mirror.union.courses(...given);
      const entries = listing?.entries.map(({ id, text }) => ({
        id,
        text: JSON.stringify(JSON.parse(text)),
      }));
      return listing && { ...listing, entries: entries ?? [] };
    },
  },
});

const sabotages: [string, Sabotage][] = [
  ["takes a record that moved for unchanged", withoutMoves],
  ["writes the union's numbers anew", rewriting],
  ["makes no full sync", (mirror) => ({ ...mirror, fullDueAt: () => 1 })],
];

// The proofs show that the judge is awake.
test.each(proofSeed === undefined ? [] : sabotages)(
  "the judge notices a mirror that %s",
  async (_, sabotage) => {
    for (let seed = 1; seed <= 10; seed++) if ((await violationsOf(seed, sabotage)).length > 0) return;
    throw new Error("Nothing was noticed in ten weeks.");
  },
  10 * millisecondsOfWeek,
);
