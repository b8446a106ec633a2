import { startOneMachine } from "../local/pipeline/one-machine.ts";
import { serveUntilStopped } from "./own-process.ts";

/** Where a pipeline's parts are. */
export interface PipelineReady {
  readonly api: string;
  readonly dynamodb: string;
  readonly sqs: string;
  readonly lambda: string;
  readonly region: string;
  readonly queueUrl: string;
  readonly eventSourceId: string;
  readonly cardTable: string;
  /** As the operating system knows the process. */
  readonly pid: number;
}

const { assembly, union } = JSON.parse(process.argv[2] ?? "{}") as { assembly: string; union: string };
const machine = await startOneMachine({
  assembly,
  port: 0,
  union,
  log: () => undefined,
  progress: () => undefined,
});
// Functions that schedules call at the start are not measured.
await machine.settled;
const { api, dynamodb, sqs, lambda, region, resource, outputs } = machine.run;
const ready: PipelineReady = {
  api,
  dynamodb,
  sqs,
  lambda,
  region,
  queueUrl: resource("DeliveryQueue"),
  eventSourceId: outputs.DeliveryEventSourceId ?? "",
  cardTable: resource("ScorecardTable"),
  pid: process.pid,
};
serveUntilStopped(ready, machine.stop);
