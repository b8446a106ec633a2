/** One line of a benchmark's table. */
export interface BenchRow {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly bar?: number;
}

/** Whether a figure keeps its bars; one without a bar does. */
export function keepsBar({ value, bar = Number.POSITIVE_INFINITY }: BenchRow): boolean {
  return value <= bar;
}
