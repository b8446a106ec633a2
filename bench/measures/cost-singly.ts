import type { BenchRow } from "../bench-row.ts";
import { chargedRows, partRow, times } from "../cost/charged.ts";
import { startCountedPipeline, withoutChecks } from "../cost/counted-pipeline.ts";

const rates = [
  { perSecond: 1, cards: 40 },
  { perSecond: 10, cards: 300 },
  { perSecond: 100, cards: 2_000 },
] as const;
/** USD that a million cards may cost at ten a second, as single cards are delivered. */
const maxDollars = { fast: 8.5, cheap: 7.4 } as const;

/** What cards cost that are submitted one at a time at a steady rate, delivered fast and cheaply. */
export async function run(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const singles of ["fast", "cheap"] as const) {
    const pipeline = await startCountedPipeline({
      ...withoutChecks,
      playerCheck: "players",
      delivery: { ...withoutChecks.delivery, singles },
    });
    try {
      await pipeline.warmUp();
      for (const { perSecond, cards } of rates) {
        pipeline.charged();
        await pipeline.submitSteadily(`${perSecond}-a-second`, cards, perSecond);
        await pipeline.delivered();
        const { all, activity } = pipeline.charged();
        const perCard = times(1 / cards, all);
        const how = `${perSecond} a second, ${singles}`;
        rows.push(
          ...chargedRows(perCard, how, perSecond === 10 ? maxDollars[singles] : undefined),
          partRow("counting and listing", times(1 / cards, activity), how),
        );
      }
    } finally {
      await pipeline.stop();
    }
  }
  return rows;
}
