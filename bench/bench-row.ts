/** One line of a benchmark's table. */
export interface BenchRow {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The most it may be. */
  readonly bar?: number;
}

/** Whether a figure keeps its bar; one without a bar does. */
export function keepsBar({ value, bar }: BenchRow): boolean {
  return bar === undefined || value <= bar;
}
