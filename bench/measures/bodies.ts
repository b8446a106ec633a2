import type { BenchRow } from "../bench-row.ts";
import { postRandomBodies } from "../random-submissions.ts";

const count = 100_000;
const mebibyte = 1024 * 1024;

/** Random bodies through the function that takes submissions: each must get an answer, and leave nothing behind. */
export async function run(): Promise<BenchRow[]> {
  const { statuses, thrown, polluted, grownBytes } = await postRandomBodies(count, 417);
  const of = (passes: (status: number) => boolean) =>
    [...statuses].reduce((sum, [status, answers]) => sum + (passes(status) ? answers : 0), 0);
  return [
    { name: "random bodies", value: count, unit: "" },
    { name: "taken, whole or in part", value: of((status) => status < 300), unit: "", atLeast: 1 },
    { name: "refused", value: of((status) => status >= 400 && status < 500), unit: "", atLeast: 1 },
    { name: "answered 5xx", value: of((status) => status >= 500), unit: "", bar: 0 },
    { name: "without an answer", value: thrown, unit: "", bar: 0 },
    { name: "prototypes changed", value: Number(polluted), unit: "", bar: 0 },
    {
      name: "growth of the heap, from a tenth of them on",
      value: grownBytes / mebibyte,
      unit: "MiB",
      bar: 4,
    },
  ];
}
