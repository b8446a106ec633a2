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
export function measure(
  figures: Readonly<Partial<Record<MetricName, number>>>,
  { by, about = {} }: MeasuredOf = {},
): void {
  metrics ??= new Metrics();
  if (by !== undefined) {
    metrics.addDimensions({});
    metrics.addDimensions(by);
  }
  for (const [name, text] of Object.entries(about)) metrics.addMetadata(name, text);
  for (const [name, value] of Object.entries(figures)) {
    metrics.addMetric(name, units[name as MetricName], value);
  }
  metrics.publishStoredMetrics();
}
