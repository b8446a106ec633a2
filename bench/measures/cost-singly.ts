import type { BenchRow } from "../bench-row.ts";
import { chargedRows, partRow, times } from "../cost/charged.ts";
import { startCountedPipeline, withoutChecks } from "../cost/counted-pipeline.ts";

/** Batches as deployed, and larger ones with a window, in which single cards share a run. */
const batches = [
  { batchSize: 10, batchWindowSeconds: 0 },
  { batchSize: 50, batchWindowSeconds: 1 },
] as const;
const rates = [
  { perSecond: 1, cards: 40 },
  { perSecond: 10, cards: 300 },
  { perSecond: 100, cards: 2_000 },
] as const;
/** USD that a million cards may cost at ten a second, by the window. */
const maxDollars = { 0: 8.5, 1: 7.4 } as const;

/** What cards cost that are submitted one at a time at a steady rate, with and without a window for their delivery. */
export async function run(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const batch of batches) {
    const { batchWindowSeconds } = batch;
    const pipeline = await startCountedPipeline({
      ...withoutChecks,
      playerCheck: "warn",
      delivery: { ...withoutChecks.delivery, ...batch },
    });
    try {
      await pipeline.warmUp();
      for (const { perSecond, cards } of rates) {
        pipeline.charged();
        await pipeline.submitSteadily(`${perSecond}-a-second`, cards, perSecond);
        await pipeline.delivered();
        const { all, activity } = pipeline.charged();
        const perCard = times(1 / cards, all);
        const how = `${perSecond} a second, window of ${batchWindowSeconds} s`;
        rows.push(
          ...chargedRows(perCard, how, perSecond === 10 ? maxDollars[batchWindowSeconds] : undefined),
          partRow("counting and listing", times(1 / cards, activity), how),
        );
      }
    } finally {
      await pipeline.stop();
    }
  }
  return rows;
}
