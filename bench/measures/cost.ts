import type { BenchRow } from "../bench-row.ts";
import { type Charged, chargedNames, dollarsOf, times } from "../cost/charged.ts";
import { startCountedPipeline } from "../cost/counted-pipeline.ts";

/** USD that a million cards may cost, by the size of their submissions. */
const mostDollars: Readonly<Record<number, number>> = { 1: 7.4, 100: 1.9 };

const cardsMeasured = 300;
const million = 1_000_000;

/** Requests, bytes and GB-seconds of each card, for submissions of 1, 10 and 100, and what they cost by the million. */
export async function run(): Promise<BenchRow[]> {
  const pipeline = await startCountedPipeline();
  try {
    await pipeline.warmUp();
    const rows: BenchRow[] = [];
    for (const size of [1, 10, 100]) {
      pipeline.charged();
      await pipeline.submit(`${size}`, cardsMeasured, size);
      await pipeline.delivered();
      rows.push(...rowsOf(size, times(1 / cardsMeasured, pipeline.charged())));
    }
    return rows;
  } finally {
    await pipeline.stop();
  }
}

function rowsOf(size: number, perCard: Charged): BenchRow[] {
  const counted = Object.entries(perCard).map(([name, value]) => ({
    name: `${chargedNames[name as keyof Charged]} per card, submissions of ${size}`,
    value,
    unit: "",
  }));
  const bar = mostDollars[size];
  return [
    ...counted,
    {
      name: `a million cards in submissions of ${size}`,
      value: dollarsOf(times(million, perCard)),
      unit: "USD",
      ...(bar !== undefined && { bar }),
    },
  ];
}
