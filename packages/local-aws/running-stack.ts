import { startApiGatewayApi } from "./api/api-gateway-api.ts";
import type { RestApi } from "./api/rest-api.ts";
import { emptyRestApi, type RestApiDeclaration } from "./api/rest-api-declaration.ts";
import { createUsagePlans, type UsagePlans } from "./api/usage-plans.ts";
import type { AwsEnvironment } from "./base/environment.ts";
import type { LoopbackServer } from "./base/loopback-server.ts";
import { startDynamoDb } from "./dynamodb/tables.ts";
import type { EventSourceMapping } from "./functions/event-source-mapping.ts";
import type { LocalFunction } from "./functions/local-function.ts";
import { startLambdaApi } from "./lambda-api.ts";
import type { Alarm } from "./metrics/alarms.ts";
import { startCloudWatchApi } from "./metrics/cloudwatch-api.ts";
import { readEmbeddedMetrics } from "./metrics/embedded-metrics.ts";
import { createMetricStore, type MetricStore, takeQueueMetrics } from "./metrics/metric-store.ts";
import { startSqs } from "./queues/queues.ts";
import type { Schedule } from "./schedules.ts";
import { createSecrets, type Secrets, startSecretsManager } from "./secrets.ts";
import { startSns } from "./sns.ts";
import { type RoleTrust, startSts } from "./sts.ts";

/** A line that a function logs. */
export interface FunctionLogLine {
  /** Last part of the function's construct path, the name of its folder. */
  readonly function: string;
  readonly text: string;
}

/** What the resources of a stack have become on this machine. It is filled while they are created. */
export interface RunningStack {
  readonly environment: AwsEnvironment;
  readonly metrics: MetricStore;
  readonly secrets: Secrets;
  readonly usagePlans: UsagePlans;
  /** By the last part of the construct's path. */
  readonly functions: Map<string, LocalFunction>;
  /** The environment variables of each function. */
  readonly variables: Record<string, string>[];
  /** By ARN. */
  readonly queueUrls: Map<string, string>;
  readonly mappings: EventSourceMapping[];
  readonly schedules: Schedule[];
  readonly alarms: Alarm[];
  readonly api: RestApiDeclaration;
  restApi: RestApi | undefined;
  stopSchedules(): void;
  readonly log: (line: FunctionLogLine) => void;
}

/** A stack of which nothing has been created yet. */
export function emptyStack(
  environment: AwsEnvironment,
  secretValues: Readonly<Record<string, string>>,
  log: (line: FunctionLogLine) => void,
): RunningStack {
  const metrics = createMetricStore(Date.now());
  const secrets = createSecrets(environment);
  for (const [name, value] of Object.entries(secretValues)) secrets.put(name, value);
  return {
    environment,
    metrics,
    secrets,
    usagePlans: createUsagePlans(Date.now),
    functions: new Map(),
    variables: [],
    queueUrls: new Map(),
    mappings: [],
    schedules: [],
    alarms: [],
    api: emptyRestApi(),
    restApi: undefined,
    stopSchedules: () => undefined,
    log(line) {
      for (const datum of readEmbeddedMetrics(line.text)) metrics.put(datum);
      log(line);
    },
  };
}

/** Finds a function of the stack. What follows the name or ARN is a version or an alias. */
export function findFunction({ functions }: RunningStack, nameOrArn: string): LocalFunction | undefined {
  return [...functions.values()].find(({ name, arn }) =>
    [name, arn].some((own) => `${nameOrArn}:`.startsWith(`${own}:`)),
  );
}

/** Publishes a metric of an AWS service. */
export function measure(
  { metrics }: RunningStack,
  namespace: string,
  name: string,
  dimensions: Record<string, string>,
  value: number,
): void {
  metrics.put({ namespace, name, dimensions, value, at: Date.now() });
}

/** Takes the queues' metrics, which nobody publishes. */
export async function refreshQueueMetrics({ queueUrls, metrics }: RunningStack, sqs: string): Promise<void> {
  const queueNames = [...queueUrls.values()].map((url) => url.split("/").at(-1) ?? "");
  await Promise.all(queueNames.map((name) => takeQueueMetrics(sqs, name, metrics)));
}

function engineAt(address: string): LoopbackServer {
  return { address, stop: async () => undefined };
}

/** The services that functions call. */
export type Services = Awaited<ReturnType<typeof startServices>>;

/** Starts the services, each under an address of its own. */
export async function startServices(
  stack: RunningStack,
  options: { readonly dynamodb?: string; readonly sqs?: string; readonly trusts?: RoleTrust },
) {
  const { environment, secrets, mappings, usagePlans, alarms, metrics, log } = stack;
  const [dynamodb, sqs, secretsManager, lambda, apiGateway, cloudWatch, sts, sns] = await Promise.all([
    options.dynamodb === undefined ? startDynamoDb() : engineAt(options.dynamodb),
    options.sqs === undefined ? startSqs(environment.region) : engineAt(options.sqs),
    startSecretsManager(secrets),
    startLambdaApi(mappings, (nameOrArn) => findFunction(stack, nameOrArn)),
    startApiGatewayApi(usagePlans, () => stack.restApi?.forgetAuthorizations()),
    startCloudWatchApi(alarms, metrics, (): Promise<void> => refreshQueueMetrics(stack, sqs.address)),
    startSts(options.trusts ?? (() => false)),
    startSns((text) => log({ function: "notices", text })),
  ]);
  return { dynamodb, sqs, secretsManager, lambda, apiGateway, cloudWatch, sts, sns };
}

const stopMilliseconds = 1800;

/** Stops what calls the engines, then the engines, within two seconds. */
export async function stopStack(stack: RunningStack, services: Services): Promise<void> {
  const { dynamodb, sqs, ...others } = services;
  stack.stopSchedules();
  const ending = Promise.all([
    ...stack.mappings.map(({ source }) => source.stop()),
    ...[...stack.functions.values()].map((local) => local.stop()),
    stack.restApi?.stop(),
    ...Object.values(others).map((service) => service.stop()),
  ]).then(() => Promise.all([dynamodb.stop(), sqs.stop()]));
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, stopMilliseconds);
  await Promise.race([ending, late.promise]);
  clearTimeout(timer);
}
