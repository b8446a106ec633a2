import type { BenchRow } from "../bench-row.ts";
import { type Charged, dollarsOf, times } from "../cost/charged.ts";
import { startCountedPipeline } from "../cost/counted-pipeline.ts";

/** A busy day of a national union, of which a part is measured. */
const cardsOfDay = 98_361;
const playersOfDay = 60_000;
const part = 1 / 100;

/** How long the union takes to answer. The run waits for it, so that is charged. */
const unionMilliseconds = 100;
const secondsOfDay = 86_400;

/** What looking for delivered cards in the players' records takes of the union, of time and of money. */
export async function run(): Promise<BenchRow[]> {
  const cards = Math.round(cardsOfDay * part);
  const pipeline = await startCountedPipeline({
    recordCheck: { share: 1, firstAfterSeconds: 1, everyMinutes: 1440, timeoutSeconds: 900 },
  });
  const { standIn, run: machine } = pipeline;
  try {
    const players = standIn.members
      .slice(0, Math.round(playersOfDay * part))
      .map(({ Memberships }) => Memberships[0]?.UnionID ?? "");
    const check = async () => {
      await machine.invoke("check-records", {});
      // The results are counted and told from the table's stream.
      await pipeline.delivered();
    };
    // Environments are started, and code is compiled.
    await pipeline.submit("warm-up", 100, 100);
    await pipeline.delivered();
    await check();

    await pipeline.submit("day", cards, 100, (card) => players[card % players.length] ?? "");
    await pipeline.delivered();
    await standIn.process();
    Object.assign(standIn.faults, { latencyMilliseconds: unionMilliseconds });
    const before = standIn.requests.records;
    pipeline.charged();
    const begun = Date.now();
    await machine.invoke("check-records", {});
    const seconds = (Date.now() - begun) / 1000;
    await pipeline.delivered();
    const { all } = pipeline.charged();
    const requests = standIn.requests.records - before;
    return rowsOf(cards, requests, seconds, standIn.record.records.mostAtOnce, all);
  } finally {
    await pipeline.stop();
  }
}

function rowsOf(
  cards: number,
  requests: number,
  seconds: number,
  mostAtOnce: number,
  all: Charged,
): BenchRow[] {
  const dayShare = cardsOfDay / cards;
  return [
    { name: "cards that were looked for", value: cards, unit: "" },
    { name: "requests to the union per card", value: requests / cards, unit: "", bar: 1 },
    { name: "most requests at the same time", value: mostAtOnce, unit: "", bar: 2 },
    { name: "write units per card", value: all.writeUnits / cards, unit: "" },
    { name: "read units per card", value: all.readUnits / cards, unit: "" },
    { name: "GB-seconds per card", value: all.gigabyteSeconds / cards, unit: "" },
    {
      name: `${cardsOfDay} cards of ${playersOfDay} players, union ${unionMilliseconds} ms`,
      value: (seconds * dayShare) / 3600,
      unit: "hours",
      bar: secondsOfDay / 3600 / 2,
    },
    { name: "the same", value: dollarsOf(times(dayShare, all)), unit: "USD" },
    { name: "a million cards", value: dollarsOf(times(1_000_000 / cards, all)), unit: "USD" },
  ];
}
