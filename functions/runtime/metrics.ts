import { Metrics, MetricUnit } from "@aws-lambda-powertools/metrics";

/** The pipeline's own metrics with their units. docs/operations.md says what each means. */
const units = {
  CardsAccepted: MetricUnit.Count,
  CardsRefused: MetricUnit.Count,
  CardFaults: MetricUnit.Count,
  CardWarnings: MetricUnit.Count,
  SandboxBusy: MetricUnit.Count,
  CardsDelivered: MetricUnit.Count,
  CardsRejected: MetricUnit.Count,
  CardsRetrying: MetricUnit.Count,
  CardsUndelivered: MetricUnit.Count,
  CardsDelayed: MetricUnit.Count,
  OldestCardAge: MetricUnit.Seconds,
  MessagesUnsent: MetricUnit.Count,
  WakeUpsLost: MetricUnit.Count,
  FastBurnRate: MetricUnit.NoUnit,
  SlowBurnRate: MetricUnit.NoUnit,
  VendorsSilent: MetricUnit.Count,
  VendorsFlooding: MetricUnit.Count,
  ExchangeLatency: MetricUnit.Milliseconds,
  ExchangeFailures: MetricUnit.Count,
  CredentialsRefused: MetricUnit.Count,
  UnknownAnswers: MetricUnit.Count,
  SignInsLimited: MetricUnit.Count,
  PlayersUnknown: MetricUnit.Count,
  PlayersUnchecked: MetricUnit.Count,
  UnexpectedErrors: MetricUnit.Count,
  UnionFailures: MetricUnit.Count,
  OutcomesLateAge: MetricUnit.Seconds,
  WebhooksPosted: MetricUnit.Count,
  WebhooksFailed: MetricUnit.Count,
  WebhooksGivenUp: MetricUnit.Count,
  WebhookEndpointsDisabled: MetricUnit.Count,
  WebhookEndpointsFailing: MetricUnit.Count,
  WebhookDelay: MetricUnit.Milliseconds,
  RecordsFound: MetricUnit.Count,
  RecordsMissing: MetricUnit.Count,
  RecordsUncheckable: MetricUnit.Count,
  RecordsUnanswered: MetricUnit.Count,
  RecordAccountsRefused: MetricUnit.Count,
  RecordCheckDelay: MetricUnit.Seconds,
  MirrorAge: MetricUnit.Seconds,
  MirrorClubsMirrored: MetricUnit.Count,
  MirrorClubsFailed: MetricUnit.Count,
  MirrorVersionsChanged: MetricUnit.Count,
  MirrorEntriesSkipped: MetricUnit.Count,
  MirrorClubsUnlisted: MetricUnit.Count,
} as const;

/** The name of a metric. */
export type MetricName = keyof typeof units;

/** Values by the name of their metric, one or several each. */
export type FiguresByName = Readonly<Partial<Record<MetricName, number | readonly number[]>>>;

/** Dimensions and metadata of published values. */
export interface MeasureOptions {
  /**
   * Dimensions, counted besides the total. AWS charges for a metric per value, so use only what has few values: a vendor's
   * API set, a fault's code.
   */
  readonly by?: Readonly<Record<string, string>>;
  /** Metadata of the line, e.g. a request's ID. */
  readonly about?: Readonly<Record<string, string>>;
}

/**
 * Created with the first values, since many functions publish none as long as all is well. Reads
 * `POWERTOOLS_METRICS_NAMESPACE` and `POWERTOOLS_SERVICE_NAME`.
 */
let metrics: Metrics | undefined;

/**
 * Publishes values as one log line in CloudWatch's embedded metric format, so there is no request that could fail.
 *
 * @example measure({ CardsAccepted: 12, CardsRefused: 0 }, { about: { requestId } })
 */
export function measure(figures: FiguresByName, { by, about = {} }: MeasureOptions = {}): void {
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

/** At 100 values of one metric Powertools publishes by itself and drops the dimensions. */
const maxValues = 99;

/** Collects the values of a run, to publish them at its end. */
export interface Figures {
  add(figures: Readonly<Partial<Record<MetricName, number>>>, by?: MeasureOptions["by"]): void;
  /** Publishes what was added since the last call, with one or more lines for each set of dimensions. */
  publish(): void;
}

/** Starts to collect values. */
export function gatherFigures(): Figures {
  const added = new Map<
    string,
    { readonly by: MeasureOptions["by"]; readonly values: Map<string, number[]> }
  >();
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
        for (let first = 0; first < most; first += maxValues) {
          const some = [...values].map(([name, all]) => [name, all.slice(first, first + maxValues)]);
          measure(Object.fromEntries(some), { ...(by && { by }) });
        }
      }
      added.clear();
    },
  };
}
