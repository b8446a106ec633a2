import type { BenchRow } from "../bench-row.ts";
import { activityRow, chargedRows, times } from "../cost/charged.ts";
import { startCountedPipeline } from "../cost/counted-pipeline.ts";

/** USD that a million cards may cost, by the size of their submissions. */
const mostDollars: Readonly<Record<number, number>> = { 100: 1.9 };

/** USD of it that counting and listing may cost. */
const mostForActivity: Readonly<Record<number, number>> = { 100: 0.25 };

const cardsMeasured = 3_000;

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
      const { all, activity } = pipeline.charged();
      const how = `in submissions of ${size}`;
      rows.push(...chargedRows(times(1 / cardsMeasured, all), how, mostDollars[size]));
      rows.push(activityRow(times(1 / cardsMeasured, activity), how, mostForActivity[size]));
    }
    return rows;
  } finally {
    await pipeline.stop();
  }
}
