/** One figure of a metric. */
export interface Datum {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly value: number;
  /** Milliseconds since 1970, UTC. */
  readonly at: number;
}

/** Which metric is meant: to CloudWatch its dimensions are a part of its name. */
export type MetricIdentity = Pick<Datum, "namespace" | "name" | "dimensions">;

/** The metrics of a run. */
export interface MetricStore {
  put(datum: Datum): void;
  /** Figures of one metric from a time on, the oldest first. */
  figures(metric: MetricIdentity, from: number): number[];
  /** Everything that is kept, the oldest first. */
  all(): readonly Datum[];
}

/** The figures that are kept: a run may last for days, and nobody looks at older ones. */
const mostFigures = 100_000;

function identity({ namespace, name, dimensions }: MetricIdentity): string {
  return JSON.stringify([namespace, name, Object.entries(dimensions).sort()]);
}

/** A store of metrics with nothing in it. */
export function createMetricStore(): MetricStore {
  let data: Datum[] = [];
  return {
    put(datum) {
      data.push(datum);
      if (data.length > 2 * mostFigures) data = data.slice(-mostFigures);
    },
    figures(metric, from) {
      const wanted = identity(metric);
      return data.filter((datum) => datum.at >= from && identity(datum) === wanted).map(({ value }) => value);
    },
    all: () => data,
  };
}
