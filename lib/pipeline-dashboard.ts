import { Duration, Stack } from "aws-cdk-lib";
import type { SpecRestApi } from "aws-cdk-lib/aws-apigateway";
import {
  Dashboard,
  GraphWidget,
  type IMetric,
  MathExpression,
  type Metric,
  Stats,
  TextWidget,
} from "aws-cdk-lib/aws-cloudwatch";
import { Table } from "aws-cdk-lib/aws-dynamodb";
import { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import type { Construct } from "constructs";
import { State } from "../core/cards/life/states.ts";
import type { MetricName } from "../functions/runtime/metrics.ts";
import type { FunctionName } from "./bundles.ts";
import type { Delivery } from "./delivery.ts";
import { askingTheUnion, ownMetric } from "./monitoring.ts";
import type { StageSettings } from "./stage-settings.ts";

/** Options of {@link addDashboard}. */
export interface PipelineDashboardProps {
  readonly settings: StageSettings;
  readonly delivery: Delivery;
  readonly api: SpecRestApi;
}

const period = Duration.minutes(5);

/** What the graphs of a stack are drawn with. */
function createCharts(scope: Construct) {
  const own = (publishedBy: FunctionName, name: MetricName, label: string, statistic = "Sum") =>
    ownMetric(scope, publishedBy, name, { label, statistic, period });
  /** One line for each value of a dimension at the time of viewing, so that new vendors and codes appear. */
  const each = (publishedBy: FunctionName, name: MetricName, dimension: string, statistic: string): IMetric =>
    new MathExpression({
      expression: `SEARCH('{"${Stack.of(scope).stackName}",service,${dimension}} service="${publishedBy}" MetricName="${name}"', '${statistic}')`,
      label: "",
      period,
      usingMetrics: {},
    });
  const graph = (title: string, left: IMetric[], right: IMetric[] = []): GraphWidget =>
    new GraphWidget({ title, left, right, width: 12, height: 6, liveData: true });
  const constructs = Stack.of(scope).node.findAll();
  const functions = constructs.filter((construct) => construct instanceof LambdaFunction);
  const ofEach = (metric: (of: LambdaFunction) => Metric): Metric[] =>
    functions.map((of) => metric(of).with({ label: of.node.id, period, statistic: "Sum" }));
  const tables = constructs.filter((construct) => construct instanceof Table);
  const capacity = (metric: (of: Table) => Metric, what: string): Metric[] =>
    tables.map((of) => metric(of).with({ label: `${of.node.id} ${what}`, period, statistic: "Sum" }));

  return { own, each, graph, functions, ofEach, capacity };
}

type Charts = ReturnType<typeof createCharts>;

/** Cards from acceptance to the exchange. */
const cardGraphs = ({ own, each, graph }: Charts, delivery: Delivery): GraphWidget[] => [
  graph("Cards come in", [
    own("submit-scorecards", "CardsAccepted", "accepted"),
    own("submit-scorecards", "CardsRefused", "refused"),
    own("submit-scorecards", "CardWarnings", "warnings"),
  ]),
  graph("Faults by code", [each("submit-scorecards", "CardFaults", "code", "Sum")]),
  graph("Cards go out", [
    own("deliver-scorecards", "CardsDelivered", State.delivered),
    own("deliver-scorecards", "CardsRetrying", State.retrying),
    own("deliver-scorecards", "CardsRejected", State.rejected),
    own("deliver-scorecards", "CardsUndelivered", State.undelivered),
  ]),
  graph(
    "Oldest card, and cards that wait",
    [
      own("deliver-scorecards", "OldestCardAge", "tried and waiting, seconds", "Maximum"),
      delivery.queue.metricApproximateAgeOfOldestMessage({ period, label: "not taken yet, seconds" }),
    ],
    [
      delivery.queue.metricApproximateNumberOfMessagesVisible({ period, label: "waiting" }),
      delivery.queue.metricApproximateNumberOfMessagesNotVisible({ period, label: "under way" }),
      delivery.deadLetters.metricApproximateNumberOfMessagesVisible({ period, label: "dead letters" }),
    ],
  ),
  graph("Exchange latency by vendor, 95th percentile, milliseconds", [
    own("deliver-scorecards", "ExchangeLatency", "all", Stats.percentile(95)),
    each("deliver-scorecards", "ExchangeLatency", "apiSet", Stats.percentile(95)),
  ]),
  graph(
    "Exchange failures, refused credentials and unknown answers by vendor",
    [each("deliver-scorecards", "ExchangeFailures", "apiSet", "Sum")],
    [
      each("deliver-scorecards", "CredentialsRefused", "apiSet", "Sum"),
      each("deliver-scorecards", "UnknownAnswers", "apiSet", "Sum"),
    ],
  ),
];

/** The mirror, lost wake-ups, players, and the service objective. */
const watchGraphs = ({ own, graph }: Charts): GraphWidget[] => [
  graph(
    "Mirror",
    [own("mirror-courses", "MirrorAge", "age of the stalest club, seconds", "Maximum")],
    [
      own("mirror-courses", "MirrorClubsFailed", "clubs failed"),
      own("mirror-courses", "MirrorVersionsChanged", "versions changed"),
      own("mirror-courses", "MirrorEntriesSkipped", "entries skipped", "Maximum"),
      own("mirror-courses", "MirrorClubsUnlisted", "clubs for the operator", "Maximum"),
    ],
  ),
  graph(
    "Unsent at the end of the day, lost wake-ups, and players of delivered cards",
    [
      own("measure-unsent", "MessagesUnsent", "messages unsent", "Maximum"),
      own("wake-waiting-cards", "WakeUpsLost", "wake-ups lost"),
    ],
    [
      own("check-players", "PlayersUnknown", "players unknown"),
      own("check-players", "PlayersUnchecked", "players unchecked"),
    ],
  ),
  graph(
    "The service objective, and silent vendors",
    [
      own("wake-waiting-cards", "FastBurnRate", "burn rate of an hour", "Maximum"),
      own("wake-waiting-cards", "SlowBurnRate", "burn rate of three days", "Maximum"),
    ],
    [
      own("deliver-scorecards", "CardsDelayed", "cards delayed"),
      own("wake-waiting-cards", "VendorsSilent", "vendors silent", "Maximum"),
      own("wake-waiting-cards", "VendorsFlooding", "vendors flooding", "Maximum"),
    ],
  ),
];

/** The followers of the table's stream. */
const outcomeGraphs = ({ own, graph, functions }: Charts): GraphWidget[] =>
  functions
    .filter(({ node }) => node.id === "follow-outcomes")
    .map((follow) =>
      graph(
        "Outcomes",
        [
          follow.metric("IteratorAge", { period, label: "waited, milliseconds", statistic: "Maximum" }),
          own("follow-outcomes", "OutcomesLateAge", "failed for, seconds", "Maximum"),
        ],
        [follow.metricInvocations({ period, label: "runs", statistic: "Sum" })],
      ),
    );

const recordGraphs = ({ own, graph }: Charts, settings: StageSettings): GraphWidget[] =>
  settings.recordCheck.share === 0
    ? []
    : [
        graph(
          "Delivered cards in the players' records",
          [
            own("check-records", "RecordsFound", "found"),
            own("check-records", "RecordsMissing", "missing"),
            own("check-records", "RecordsUncheckable", "uncheckable"),
            own("check-records", "RecordsUnanswered", "unanswered"),
            own("check-records", "RecordAccountsRefused", "vendors refused"),
          ],
          [own("check-records", "RecordCheckDelay", "late, seconds", "Maximum")],
        ),
      ];

const webhookGraph = ({ own, graph }: Charts): GraphWidget =>
  graph(
    "Webhooks",
    [
      own("deliver-webhooks", "WebhooksPosted", "events taken"),
      own("deliver-webhooks", "WebhooksFailed", "posts failed"),
      own("deliver-webhooks", "WebhooksGivenUp", "events given up"),
      own("deliver-webhooks", "WebhookEndpointsFailing", "endpoints failing for an hour"),
      own("deliver-webhooks", "WebhookEndpointsDisabled", "endpoints disabled"),
    ],
    [
      own(
        "deliver-webhooks",
        "WebhookDelay",
        "from outcome to endpoint, median, milliseconds",
        Stats.percentile(50),
      ),
    ],
  );

/** What drives the cost. */
const costGraphs = ({ graph, ofEach, capacity }: Charts, delivery: Delivery): GraphWidget[] => [
  graph(
    "Cost: invocations",
    ofEach((of) => of.metricInvocations()),
  ),
  graph(
    "Cost: milliseconds",
    ofEach((of) => of.metricDuration()),
  ),
  graph(
    "Cost: DynamoDB",
    capacity((of) => of.metricConsumedWriteCapacityUnits(), "written"),
    capacity((of) => of.metricConsumedReadCapacityUnits(), "read"),
  ),
  graph(
    "Cost: messages",
    [delivery.queue.metricNumberOfMessagesSent({ period, label: "sent" })],
    [delivery.queue.metricNumberOfMessagesReceived({ period, label: "received" })],
  ),
];

/** Adds a dashboard that follows the cards from acceptance to delivery, and shows what drives the cost. */
export function addDashboard(scope: Construct, { settings, delivery, api }: PipelineDashboardProps): void {
  const charts = createCharts(scope);
  const { own, graph, ofEach } = charts;
  const api5xx = api.deploymentStage.metricServerError({ period, label: "5xx" });
  const api4xx = api.deploymentStage.metricClientError({ period, label: "4xx" });
  const unions = askingTheUnion.map((name) => own(name, "UnionFailures", `${name}: the union's 5xx`));
  const sandbox = own("submit-scorecards", "SandboxBusy", "of the sandbox");
  const dashboard = new Dashboard(scope, "Dashboard", { dashboardName: `scorecards-${settings.stage}` });
  dashboard.addWidgets(
    new TextWidget({ markdown: `What to do: [runbook](${settings.alarms.runbook})`, width: 24, height: 1 }),
    ...cardGraphs(charts, delivery),
    ...watchGraphs(charts),
    graph(
      "Crashes and throttles",
      // Lambda counts a wrong password as an error of authorize.
      [
        own("authorize", "UnexpectedErrors", "authorize"),
        ...ofEach((of) => of.metricErrors()).filter(({ label }) => label !== "authorize"),
      ],
      ofEach((of) => of.metricThrottles()),
    ),
    ...outcomeGraphs(charts),
    ...recordGraphs(charts, settings),
    webhookGraph(charts),
    graph(
      "API",
      [api.deploymentStage.metricCount({ period, label: "requests" })],
      [api4xx, api5xx, ...(settings.stage === "test" ? [sandbox] : []), ...unions],
    ),
    ...costGraphs(charts, delivery),
  );
}
