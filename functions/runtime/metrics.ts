import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";

/** Every metric of the pipeline's own, with its unit. docs/operations.md says what each means. */
const units = {
  CardsAccepted: MetricUnit.Count,
  CardsRefused: MetricUnit.Count,
  CardFaults: MetricUnit.Count,
  CardWarnings: MetricUnit.Count,
  CardsDelivered: MetricUnit.Count,
  CardsRejected: MetricUnit.Count,
  CardsRetrying: MetricUnit.Count,
  CardsUndelivered: MetricUnit.Count,
  OldestCardAge: MetricUnit.Seconds,
  MessagesUnsent: MetricUnit.Count,
  ExchangeLatency: MetricUnit.Milliseconds,
  ExchangeFailures: MetricUnit.Count,
  CredentialsRefused: MetricUnit.Count,
  UnexpectedErrors: MetricUnit.Count,
  MirrorAge: MetricUnit.Seconds,
  MirrorClubsMirrored: MetricUnit.Count,
  MirrorClubsFailed: MetricUnit.Count,
  MirrorVersionsChanged: MetricUnit.Count,
} as const;

/** The name of a metric. */
export type MetricName = keyof typeof units;

/** Figures by their names; several of one name are so many measurements. */
export type FiguresByName = Readonly<Partial<Record<MetricName, number | readonly number[]>>>;

/** What figures are published with. */
export interface MeasuredOf {
  /**
   * Dimensions: the figures count for their values as well as for the total. Each value is a metric that is paid for,
   * so only what has few of them is one: a vendor's API set, a fault's code.
   */
  readonly by?: Readonly<Record<string, string>>;
  /** What else the line says, which is no metric: a request's ID. */
  readonly about?: Readonly<Record<string, string>>;
}

/**
 * Made with the first figures, since many functions have none to publish while all is well. Takes the namespace from
 * `POWERTOOLS_METRICS_NAMESPACE`, and the function's name from `POWERTOOLS_SERVICE_NAME`.
 */
let metrics: Metrics | undefined;

/**
 * Publishes figures as one line in CloudWatch's embedded metric format: no call is made, and none can fail.
 *
 * @example measure({ CardsAccepted: 12, CardsRefused: 0 }, { about: { requestId } })
 */
export function measure(figures: FiguresByName, { by, about = {} }: MeasuredOf = {}): void {
  metrics ??= new Metrics();
  if (by !== undefined) {
    metrics.addDimensions({});
    metrics.addDimensions(by);
  }
  for (const [name, text] of Object.entries(about)) metrics.addMetadata(name, text);
  for (const [name, values] of Object.entries(figures)) {
    for (const value of [values].flat()) metrics.addMetric(name, units[name as MetricName], value);
  }
  metrics.publishStoredMetrics();
}

/** Values of one metric in one line: at a hundred Powertools publishes by itself, and forgets the dimensions. */
const mostValues = 99;

/** Gathers the figures of a run, to publish them at its end. */
export interface Figures {
  add(figures: Readonly<Partial<Record<MetricName, number>>>, by?: MeasuredOf["by"]): void;
  /** Publishes what was added since the last time: a line for each set of dimensions, or a few where it is much. */
  publish(): void;
}

/** Begins to gather figures. */
export function gatherFigures(): Figures {
  const added = new Map<string, { readonly by: MeasuredOf["by"]; readonly values: Map<string, number[]> }>();
  return {
    add(figures, by) {
      const key = JSON.stringify(by);
      const { values } = added.get(key) ?? { values: new Map<string, number[]>() };
      for (const [name, value] of Object.entries(figures)) {
        values.set(name, [...(values.get(name) ?? []), value]);
      }
      added.set(key, { by, values });
    },
    publish() {
      for (const { by, values } of added.values()) {
        const most = Math.max(...[...values.values()].map(({ length }) => length));
        for (let first = 0; first < most; first += mostValues) {
          const some = [...values].map(([name, all]) => [name, all.slice(first, first + mostValues)]);
          measure(Object.fromEntries(some), { ...(by && { by }) });
        }
      }
      added.clear();
    },
  };
}
