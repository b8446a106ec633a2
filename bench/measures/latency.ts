import type { BenchRow } from "../bench-row.ts";
import { sendSteadily } from "../send-steadily.ts";
import { startPipelines } from "../start-pipelines.ts";

const secondsOfEach = 20;
const secondsOfWarmUp = 5;

/** From a single card's request to its arrival at the union, cards being sent at a steady rate whatever they wait for. */
export async function run(): Promise<BenchRow[]> {
  const bench = await startPipelines();
  try {
    await sendSteadily(bench, "warm-up", 10, secondsOfWarmUp);
    const rows: BenchRow[] = [];
    for (const rate of [10, 100]) {
      const at = await sendSteadily(bench, `latency-${rate}`, rate, secondsOfEach);
      const name = `${rate} single cards a second, arrived`;
      rows.push(
        { name: `${name}, half`, value: at(0.5), unit: "ms", ...(rate === 10 && { bar: 100 }) },
        { name: `${name}, 95 %`, value: at(0.95), unit: "ms", ...(rate === 10 && { bar: 250 }) },
        { name: `${name}, 99 %`, value: at(0.99), unit: "ms" },
      );
    }
    return rows;
  } finally {
    await bench.stop();
  }
}
