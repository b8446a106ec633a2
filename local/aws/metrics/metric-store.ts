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

/** The metrics of a run. */
export interface MetricStore {
  put(datum: Datum): void;
  /** Values of one metric since a time, the oldest first. */
  values(metric: MetricIdentity, from: number): number[];
  /** Every data point that is kept, the oldest first. */
  all(): readonly Datum[];
}

/** A run may last for days, and nobody reads older data. */
const maxDatapoints = 100_000;

function identity({ namespace, name, dimensions }: MetricIdentity): string {
  return JSON.stringify([namespace, name, Object.entries(dimensions).sort()]);
}

/** An empty store of metrics. */
export function createMetricStore(): MetricStore {
  let data: Datum[] = [];
  return {
    put(datum) {
      data.push(datum);
      if (data.length > 2 * maxDatapoints) data = data.slice(-maxDatapoints);
    },
    values(metric, from) {
      const wanted = identity(metric);
      return data.filter((datum) => datum.at >= from && identity(datum) === wanted).map(({ value }) => value);
    },
    all: () => data,
  };
}
