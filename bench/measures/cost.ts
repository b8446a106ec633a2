import type { BenchRow } from "../bench-row.ts";
import { chargedRows, partRow, plus, times } from "../cost/charged.ts";
import { startCountedPipeline, withoutChecks } from "../cost/counted-pipeline.ts";

/** USD that a million cards may cost, by the size of their submissions. */
const maxDollars: Readonly<Record<number, number>> = { 100: 1.9 };

/** The most that counting and listing may cost, in USD, without and with a webhook endpoint. */
const maxForActivity: Readonly<Record<number, number>> = { 100: 0.25 };
const maxWithWebhooks: Readonly<Record<number, number>> = { 100: 0.4 };

/** The most that tournaments may cost beside that, in USD. */
const maxForTournaments: Readonly<Record<number, number>> = { 10: 0.1, 100: 0.1 };

const cardsMeasured = 3_000;
const sizes = [10, 100];

/** Requests, bytes and GB-seconds of each card, for submissions of 10 and 100, and what they cost by the million. */
export async function run(): Promise<BenchRow[]> {
  const pipeline = await startCountedPipeline(withoutChecks);
  const charged = async (name: string, size: number, tournament?: string) => {
    pipeline.charged();
    await pipeline.submit(name, cardsMeasured, size, tournament);
    await pipeline.delivered();
    return pipeline.charged();
  };
  try {
    await pipeline.warmUp();
    const rows: BenchRow[] = [];
    for (const size of sizes) {
      const { all, activity } = await charged(`${size}`, size);
      const how = `in submissions of ${size}`;
      rows.push(...chargedRows(times(1 / cardsMeasured, all), how, maxDollars[size]));
      const part = times(1 / cardsMeasured, activity);
      rows.push(partRow("counting and listing", part, how, maxForActivity[size]));
    }
    for (const size of sizes) {
      const { tournaments } = await charged(`cup-${size}`, size, "Midsummer Cup");
      const part = times(1 / cardsMeasured, tournaments);
      rows.push(partRow("tournaments", part, `in submissions of ${size}`, maxForTournaments[size]));
    }
    await pipeline.tellOutcomes();
    await charged("told-warm-up", 100);
    for (const size of sizes) {
      const { activity, webhooks } = await charged(`told-${size}`, size);
      const part = times(1 / cardsMeasured, plus(activity, webhooks));
      const how = `in submissions of ${size}`;
      rows.push(partRow("counting, listing and webhooks", part, how, maxWithWebhooks[size]));
    }
    return rows;
  } finally {
    await pipeline.stop();
  }
}
