import type { BenchRow } from "../bench-row.ts";
import { chargedRows, times } from "../cost/charged.ts";
import { startCountedPipeline } from "../cost/counted-pipeline.ts";

/** USD that a million cards may cost, by the size of their submissions. */
const mostDollars: Readonly<Record<number, number>> = { 100: 1.9 };

const cardsMeasured = 300;

/** Requests, bytes and GB-seconds of each card, for submissions of 10 and 100, and what they cost by the million. */
export async function run(): Promise<BenchRow[]> {
  const pipeline = await startCountedPipeline();
  try {
    await pipeline.warmUp();
    const rows: BenchRow[] = [];
    for (const size of [10, 100]) {
      pipeline.charged();
      await pipeline.submit(`${size}`, cardsMeasured, size);
      await pipeline.delivered();
      const perCard = times(1 / cardsMeasured, pipeline.charged());
      rows.push(...chargedRows(perCard, `in submissions of ${size}`, mostDollars[size]));
    }
    return rows;
  } finally {
    await pipeline.stop();
  }
}
