import { startRestApi } from "./api/rest-api.ts";
import { collectGarbage } from "./base/collect-garbage.ts";
import { type AwsEnvironment, localAccount } from "./base/environment.ts";
import { collectSharedThreads } from "./functions/function-thread.ts";
import { localResourceTypes } from "./local-resource-types.ts";
import type { Alarm } from "./metrics/alarms.ts";
import type { MetricStore } from "./metrics/metric-store.ts";
import { type Provisioned, type ProvisionedStack, provision } from "./provision.ts";
import { sqsClient } from "./queues/queues.ts";
import {
  emptyStack,
  type FunctionLogLine,
  findFunction,
  measure,
  type RunningStack,
  refreshQueueMetrics,
  type Services,
  startServices,
  stopStack,
} from "./running-stack.ts";
import { startSchedules } from "./schedules.ts";
import type { RoleTrust } from "./sts.ts";
import { readStack } from "./template/cloud-assembly.ts";

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
  /** How much faster than their periods say alarms ring and clear; 1 if absent. */
  readonly alarmSpeed?: number;
  /** How much faster than they say rates fire; 1 if absent. */
  readonly rateSpeed?: number;
  /** Which roles of other accounts functions may assume; none if absent. */
  readonly trusts?: RoleTrust;
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
  readonly alarms: readonly Alarm[];
  /**
   * Has schedules fire from now on; none does before. A rate fires for the first time at once.
   *
   * @returns when the functions that it called at once have ended
   */
  startSchedules(): Promise<unknown>;
  /** Returns what the start no longer needs to the operating system, of all threads but the environments' own. */
  collectGarbage(): void;
  /** Ends one running environment of a function, as a crash would; false if none runs. */
  killEnvironment(functionName: string): boolean;
  /** Stops everything, within two seconds. */
  stop(): Promise<void>;
}

/** The region of a stack that names none; it is also the default of DynamoDB Local and other engines. */
const defaultRegion = "us-east-1";

/**
 * Runs a synthesized stack on 127.0.0.1: its tables and queues on embedded engines, its secrets, functions, event
 * source mappings and schedules, and its REST API.
 *
 * @throws Error naming the part of the stack that the local run does not support; everything is stopped first
 */
export async function startLocalRun(options: LocalRunOptions): Promise<LocalRun> {
  const stack = await readStack(options.assembly, options.stack);
  const environment: AwsEnvironment = {
    region: stack.region ?? defaultRegion,
    accountId: localAccount,
    partition: "aws",
    stackName: stack.name,
  };
  const running = emptyStack(environment, options.secrets, options.log);
  const services = await startServices(running, options);
  const queueClient = sqsClient(services.sqs.address, environment);
  const stop = async (): Promise<void> => {
    await stopStack(running, services);
    queueClient.destroy();
  };
  try {
    const types = localResourceTypes(running, services, queueClient, stack, options);
    const provisioned = await provision(stack, environment, options.parameters, types);
    await startStackApi(running, options.port);
    return localRun(running, services, provisioned, stop, options.rateSpeed ?? 1);
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Starts the REST API if the stack declares one. */
async function startStackApi(running: RunningStack, port: number): Promise<void> {
  const { api, environment, usagePlans, log } = running;
  if (api.id === undefined) return;
  const restApi = await startRestApi(
    api,
    {
      environment,
      function: (nameOrArn) => findFunction(running, nameOrArn),
      usagePlans,
      log: (text) => log({ function: "api", text }),
      answered(status) {
        const dimensions = { ApiName: api.name ?? "", Stage: api.stage?.name ?? "" };
        measure(running, "AWS/ApiGateway", "5XXError", dimensions, status >= 500 ? 1 : 0);
        measure(running, "AWS/ApiGateway", "4XXError", dimensions, status >= 400 && status < 500 ? 1 : 0);
        measure(running, "AWS/ApiGateway", "Count", dimensions, 1);
      },
    },
    port,
  );
  running.restApi = restApi;
  // A function that calls the API finds it under the address that AWS would have given it.
  const deployed = `https://${api.id}.execute-api.${environment.region}.amazonaws.com`;
  const { origin } = new URL(restApi.base);
  for (const variables of running.variables) {
    for (const [name, value] of Object.entries(variables)) variables[name] = value.replace(deployed, origin);
  }
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

/** The run as its caller sees it. */
function localRun(
  running: RunningStack,
  services: Services,
  { resources, outputs }: ProvisionedStack,
  stop: () => Promise<void>,
  rateSpeed: number,
): LocalRun {
  const { functions, metrics, alarms } = running;
  const { dynamodb, sqs, secretsManager, lambda, apiGateway, cloudWatch } = services;
  return {
    get api() {
      const { restApi } = running;
      if (restApi === undefined) throw new Error("the stack has no REST API");
      return restApi.base;
    },
    dynamodb: dynamodb.address,
    sqs: sqs.address,
    secretsManager: secretsManager.address,
    lambda: lambda.address,
    apiGateway: apiGateway.address,
    cloudWatch: cloudWatch.address,
    region: running.environment.region,
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
      await refreshQueueMetrics(running, sqs.address);
      return alarms.filter((alarm) => alarm.state(Date.now()) === "ALARM");
    },
    startSchedules() {
      running.stopSchedules();
      const { fired, stop } = startSchedules(running.schedules, rateSpeed);
      running.stopSchedules = stop;
      return fired;
    },
    collectGarbage() {
      if ("collectGarbage" in dynamodb) dynamodb.collectGarbage();
      collectSharedThreads();
      collectGarbage();
    },
    killEnvironment: (functionName) => functions.get(functionName)?.killEnvironment() ?? false,
    stop,
  };
}
