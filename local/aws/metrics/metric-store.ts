/** One data point of a metric. */
export interface Datum {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly value: number;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
}

/** Identifies a metric; in CloudWatch the dimensions are part of its identity. */
export type MetricIdentity = Pick<Datum, "namespace" | "name" | "dimensions">;

/** The metrics of a run. Times in milliseconds since 1970, UTC. */
export interface MetricStore {
  /** When the run began. */
  readonly since: number;
  put(datum: Datum): void;
  /** Values of one metric from one time to another, the oldest first. */
  values(metric: MetricIdentity, from: number, to: number): number[];
  /** Every data point that is kept, the oldest first. */
  all(): readonly Datum[];
}

/** A run may last for days, and nobody reads older data. */
const maxDatapoints = 100_000;

function identity({ namespace, name, dimensions }: MetricIdentity): string {
  return JSON.stringify([namespace, name, Object.entries(dimensions).sort()]);
}

/** An empty store of the metrics of a run that begins at a time. */
export function createMetricStore(since: number): MetricStore {
  let data: Datum[] = [];
  return {
    since,
    put(datum) {
      data.push(datum);
      if (data.length > 2 * maxDatapoints) data = data.slice(-maxDatapoints);
    },
    values(metric, from, to) {
      const wanted = identity(metric);
      return data
        .filter((datum) => datum.at >= from && datum.at <= to && identity(datum) === wanted)
        .map(({ value }) => value);
    },
    all: () => data,
  };
}
