import { startApiGatewayApi } from "./api/api-gateway-api.ts";
import { type RestApi, startRestApi } from "./api/rest-api.ts";
import { emptyRestApi } from "./api/rest-api-declaration.ts";
import { restApiTypes } from "./api/rest-api-types.ts";
import { createUsagePlans } from "./api/usage-plans.ts";
import { everySecond, streamEventSource } from "./dynamodb/stream-event-source-type.ts";
import { startDynamoDb, tableType } from "./dynamodb/tables.ts";
import { type AwsEnvironment, localAccount } from "./environment.ts";
import { eventBusType, startEventBridge } from "./event-buses.ts";
import { type EventSourceMapping, eventSourceMappingType } from "./event-source-mapping.ts";
import { aliasTypes } from "./functions/alias-types.ts";
import { functionType } from "./functions/function-type.ts";
import type { LocalFunction } from "./functions/local-function.ts";
import { startLambdaApi } from "./lambda-api.ts";
import type { LoopbackServer } from "./loopback-server.ts";
import { type Alarm, alarmType } from "./metrics/alarms.ts";
import { startCloudWatchApi } from "./metrics/cloudwatch-api.ts";
import { readEmbeddedMetrics } from "./metrics/embedded-metrics.ts";
import { createMetricStore, type MetricStore } from "./metrics/metric-store.ts";
import { takeQueueMetrics } from "./metrics/queue-metrics.ts";
import { type Provisioned, provision } from "./provision.ts";
import { queueApiOf } from "./queues/queue-api.ts";
import { queueEventSource } from "./queues/queue-event-source-type.ts";
import { queueType, sqsClient, startSqs } from "./queues/queues.ts";
import { type Schedule, scheduleType, startSchedules } from "./schedules.ts";
import { createSecrets, secretType, startSecretsManager } from "./secrets.ts";
import { startSns } from "./sns.ts";
import { type RoleTrust, startSts } from "./sts.ts";
import { readStack } from "./template/cloud-assembly.ts";

/** A line that a function logs. */
export interface FunctionLogLine {
  /** Last part of the function's construct path, the name of its folder. */
  readonly function: string;
  readonly text: string;
}

/** Which stack to run, and with which parameters, secrets and engines. */
export interface LocalRunOptions {
  /** Folder of the synthesized cloud assembly. */
  readonly assembly: string;
  /** Artifact id of the stack. */
  readonly stack: string;
  /** Port of the API on 127.0.0.1; 0 for any. */
  readonly port: number;
  /** Values of template parameters, by logical id; the others have the template's defaults. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Values of secrets by name, both of the template's secrets and of others. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Address of another DynamoDB to use instead of the embedded one. */
  readonly dynamodb?: string;
  /** Address of another SQS to use instead of the embedded one. */
  readonly sqs?: string;
  /** Whether schedules fire. */
  readonly schedules: boolean;
  /** How much faster than their periods say alarms ring and clear; 1 if absent. */
  readonly alarmSpeed?: number;
  /** How much faster than they say rates fire; 1 if absent. */
  readonly rateSpeed?: number;
  /** Which roles of other accounts functions may assume; none if absent. */
  readonly trusts?: RoleTrust;
  /** Called with each line that a function logs. */
  readonly log: (line: FunctionLogLine) => void;
}

/** A stack that runs on this machine. */
export interface LocalRun {
  /**
   * Base address of the API with its stage, e.g. http://127.0.0.1:3000/test
   *
   * @throws Error if the stack has no REST API
   */
  readonly api: string;
  /** Addresses of the services. */
  readonly dynamodb: string;
  readonly sqs: string;
  readonly secretsManager: string;
  readonly lambda: string;
  readonly apiGateway: string;
  readonly cloudWatch: string;
  /** Region of the functions, tables and queues. */
  readonly region: string;
  /** The stack's outputs, by name. */
  readonly outputs: Readonly<Record<string, string>>;
  /**
   * The value of a resource's Ref: a table's name, a queue's URL, a secret's ARN.
   *
   * @param name logical id, or the end of the construct's path
   * @throws Error if no resource has that name, or more than one
   */
  resource(name: string): string;
  /**
   * Invokes a function as a schedule does: it waits while the reserved concurrency is used up.
   *
   * @param functionName last part of its construct path, the name of its folder
   * @returns what it returned
   * @throws FunctionError if it throws, runs out of time or crashes
   */
  invoke(functionName: string, event: unknown): Promise<unknown>;
  /**
   * The metrics that functions and services have published. Queue metrics are up to date only after `ringing`.
   */
  readonly metrics: MetricStore;
  /** Reads the queues' metrics, and returns the alarms that are in the state ALARM. */
  ringing(): Promise<Alarm[]>;
  /** All of the stack's alarms. */
  readonly alarms: readonly Alarm[];
  /** Ends one running environment of a function, as a crash would; false if none runs. */
  killEnvironment(functionName: string): boolean;
  /** Stops everything, within two seconds. */
  stop(): Promise<void>;
}

/** The region of a stack that names none; it is also the default of DynamoDB Local and other engines. */
const defaultRegion = "us-east-1";

const stopMilliseconds = 1800;

function engineAt(address: string): LoopbackServer {
  return { address, stop: async () => undefined };
}

function findResource(resources: readonly Provisioned[], name: string): string {
  const found = resources.filter(
    ({ logicalId, path }) => logicalId === name || path === name || path.endsWith(`/${name}`),
  );
  const [only, ...others] = found;
  if (only === undefined) throw new Error(`the stack has no resource ${name}`);
  if (others.length > 0) {
    throw new Error(`${name} is the name of several resources: ${found.map(({ path }) => path).join(", ")}`);
  }
  return only.values.ref;
}

/**
 * Runs a synthesized stack on 127.0.0.1: its tables and queues on embedded engines, its secrets, functions, event
 * source mappings and schedules, and its REST API.
 *
 * @throws Error naming the part of the stack that the local run does not support; everything is stopped first
 */
export async function startLocalRun(options: LocalRunOptions): Promise<LocalRun> {
  const { assembly, parameters, secrets: secretValues } = options;
  const metrics = createMetricStore(Date.now());
  const alarms: Alarm[] = [];
  const log = (line: FunctionLogLine): void => {
    for (const datum of readEmbeddedMetrics(line.text)) metrics.put(datum);
    options.log(line);
  };
  const stack = await readStack(assembly, options.stack);
  const region = stack.region ?? defaultRegion;
  const environment: AwsEnvironment = {
    region,
    accountId: localAccount,
    partition: "aws",
    stackName: stack.name,
  };

  const functions = new Map<string, LocalFunction>();
  const allVariables: Record<string, string>[] = [];
  const queueUrls = new Map<string, string>();
  const mappings: EventSourceMapping[] = [];
  const schedules: Schedule[] = [];
  const api = emptyRestApi();
  const usagePlans = createUsagePlans(Date.now);
  let restApi: RestApi | undefined;
  const secrets = createSecrets(environment);
  for (const [name, value] of Object.entries(secretValues)) secrets.put(name, value);

  /** Takes the queues' metrics, which nobody publishes. */
  const refreshMetrics = async (): Promise<void> => {
    const queueNames = [...queueUrls.values()].map((url) => url.split("/").at(-1) ?? "");
    await Promise.all(queueNames.map((name) => takeQueueMetrics(sqs.address, name, metrics)));
  };
  const [dynamodb, sqs, secretsManager, lambda, apiGateway, cloudWatch, eventBridge, sts, sns] =
    await Promise.all([
      options.dynamodb === undefined ? startDynamoDb() : engineAt(options.dynamodb),
      options.sqs === undefined ? startSqs(region) : engineAt(options.sqs),
      startSecretsManager(secrets),
      startLambdaApi(mappings, (nameOrArn) => functionBy(nameOrArn)),
      startApiGatewayApi(usagePlans, () => restApi?.forgetAuthorizations()),
      startCloudWatchApi(alarms, metrics, () => refreshMetrics()),
      startEventBridge((text) => log({ function: "events", text })),
      startSts(options.trusts ?? (() => false)),
      startSns((text) => log({ function: "notices", text })),
    ]);
  const queueClient = sqsClient(sqs.address, environment);
  const functionBy = (nameOrArn: string): LocalFunction | undefined =>
    // What follows the name or ARN is a version or an alias.
    [...functions.values()].find(({ name, arn }) =>
      [name, arn].some((own) => `${nameOrArn}:`.startsWith(`${own}:`)),
    );

  const measure = (namespace: string, name: string, dimensions: Record<string, string>, value: number) =>
    metrics.put({ namespace, name, dimensions, value, at: Date.now() });

  let stopSchedules = (): void => undefined;
  const stop = async (): Promise<void> => {
    stopSchedules();
    const ending = Promise.all([
      ...mappings.map(({ source }) => source.stop()),
      ...[...functions.values()].map((local) => local.stop()),
      restApi?.stop(),
      secretsManager.stop(),
      lambda.stop(),
      apiGateway.stop(),
      cloudWatch.stop(),
      eventBridge.stop(),
      sts.stop(),
      sns.stop(),
    ]).then(() => Promise.all([dynamodb.stop(), sqs.stop()]));
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, stopMilliseconds);
    await Promise.race([ending, late.promise]);
    clearTimeout(timer);
    queueClient.destroy();
  };

  try {
    const { resources, outputs } = await provision(stack, environment, parameters, {
      "AWS::DynamoDB::Table": tableType(dynamodb.address, environment),
      "AWS::SQS::Queue": queueType(queueClient, sqs.address, (arn, url) => queueUrls.set(arn, url)),
      "AWS::Events::EventBus": eventBusType(environment),
      "AWS::SecretsManager::Secret": secretType(secrets, secretValues),
      "AWS::Lambda::Function": functionType({
        environment,
        endpoints: {
          CLOUDWATCH: cloudWatch.address,
          DYNAMODB: dynamodb.address,
          EVENTBRIDGE: eventBridge.address,
          LAMBDA: lambda.address,
          SECRETS_MANAGER: secretsManager.address,
          SNS: sns.address,
          SQS: sqs.address,
          STS: sts.address,
        },
        assetPath: stack.assetPath,
        log,
        measure: (FunctionName, metric, value) => measure("AWS/Lambda", metric, { FunctionName }, value),
        found: (name, local, variables) => {
          if (functions.has(name)) throw new Error(`the stack has two functions called ${name}`);
          functions.set(name, local);
          allVariables.push(variables);
        },
      }),
      ...aliasTypes(functionBy),
      "AWS::Lambda::EventSourceMapping": eventSourceMappingType({
        environment,
        sources: {
          dynamodb: streamEventSource({
            environment,
            endpoint: dynamodb.address,
            nextChange: "nextStreamChange" in dynamodb ? dynamodb.nextStreamChange : everySecond(),
            iteratorAge: (FunctionName, age) => measure("AWS/Lambda", "IteratorAge", { FunctionName }, age),
            log: (text) => log({ function: "stream", text }),
          }),
          sqs: queueEventSource("api" in sqs ? sqs.api : queueApiOf(queueClient), (arn) =>
            queueUrls.get(arn),
          ),
        },
        function: functionBy,
        found: (mapping) => mappings.push(mapping),
      }),
      "AWS::Scheduler::Schedule": scheduleType(environment, functionBy, (schedule) =>
        schedules.push(schedule),
      ),
      "AWS::CloudWatch::Alarm": alarmType(
        environment,
        metrics,
        (alarm) => alarms.push(alarm),
        options.alarmSpeed,
      ),
      ...restApiTypes(environment, api, usagePlans),
    });
    const apiLog = (text: string): void => log({ function: "api", text });
    const answered = (status: number): void => {
      const dimensions = { ApiName: api.name ?? "", Stage: api.stage?.name ?? "" };
      measure("AWS/ApiGateway", "5XXError", dimensions, status >= 500 ? 1 : 0);
      measure("AWS/ApiGateway", "4XXError", dimensions, status >= 400 && status < 500 ? 1 : 0);
      measure("AWS/ApiGateway", "Count", dimensions, 1);
    };
    const dependencies = { environment, function: functionBy, usagePlans, log: apiLog, answered };
    if (api.id !== undefined) {
      restApi = await startRestApi(api, dependencies, options.port);
      // A function that calls the API finds it under the address that AWS would have given it.
      const deployed = `https://${api.id}.execute-api.${region}.amazonaws.com`;
      const { origin } = new URL(restApi.base);
      for (const variables of allVariables) {
        for (const [name, value] of Object.entries(variables))
          variables[name] = value.replace(deployed, origin);
      }
    }
    if (options.schedules) stopSchedules = startSchedules(schedules, options.rateSpeed ?? 1);

    return {
      get api() {
        if (restApi === undefined) throw new Error("the stack has no REST API");
        return restApi.base;
      },
      dynamodb: dynamodb.address,
      sqs: sqs.address,
      secretsManager: secretsManager.address,
      lambda: lambda.address,
      apiGateway: apiGateway.address,
      cloudWatch: cloudWatch.address,
      region,
      outputs,
      resource: (name) => findResource(resources, name),
      async invoke(functionName, event) {
        const local = functions.get(functionName);
        if (local === undefined) throw new Error(`the stack has no function ${functionName}`);
        return JSON.parse(await local.invokeInTurn(JSON.stringify(event)));
      },
      metrics,
      alarms,
      async ringing() {
        await refreshMetrics();
        return alarms.filter((alarm) => alarm.state(Date.now()) === "ALARM");
      },
      killEnvironment: (functionName) => functions.get(functionName)?.killEnvironment() ?? false,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
