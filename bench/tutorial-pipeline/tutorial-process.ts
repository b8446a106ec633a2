import { startLocalRun } from "@scorecard-pipeline/local-aws";
import { startFarEngines } from "../far-engines.ts";
import { serveUntilStopped } from "../own-process.ts";
import type { PipelineReady } from "../pipeline-process.ts";

const options = JSON.parse(process.argv[2] ?? "{}") as {
  assembly: string;
  exchange: string;
  authorization: string;
  engineMilliseconds?: number;
};
const { engineMilliseconds } = options;
const run = await startLocalRun({
  ...(engineMilliseconds !== undefined && (await startFarEngines(engineMilliseconds))),
  assembly: options.assembly,
  stack: "tutorial",
  port: 0,
  parameters: { Exchange: options.exchange, Authorization: options.authorization },
  secrets: {},
  log: () => undefined,
});
const { api, dynamodb, sqs, lambda, region, resource } = run;
const ready: PipelineReady = {
  api,
  dynamodb,
  sqs,
  lambda,
  region,
  queueUrl: resource("Queue"),
  cardTable: resource("CardTable"),
  pid: process.pid,
};
serveUntilStopped(ready, run.stop);
