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

/** What belongs to a set of figures. */
export interface MeasuredOf {
  /**
   * Dimensions by which the figures are kept apart, beside the total. Every value of a dimension is a metric that
   * is paid for, so only what has few: a vendor's API set, a fault's code.
   */
  readonly by?: Readonly<Record<string, string>>;
  /** What a reader of the line wants to know, and no metric: a request's ID. */
  readonly about?: Readonly<Record<string, string>>;
}

/**
 * Reads the namespace and the function's name from `POWERTOOLS_METRICS_NAMESPACE` and `POWERTOOLS_SERVICE_NAME`; made
 * with the first figures, since many a function has none to publish for as long as all is well.
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

/** Of one metric in one line; at a hundred Powertools publishes by itself, and forgets the dimensions. */
const mostValues = 99;

/** Figures of a run that are published at its end. */
export interface Figures {
  add(figures: Readonly<Partial<Record<MetricName, number>>>, by?: MeasuredOf["by"]): void;
  /** One line for all that was added by the same dimensions, or a few where that is much; nothing is left of it then. */
  publish(): void;
}

/** Nothing measured yet. */
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
