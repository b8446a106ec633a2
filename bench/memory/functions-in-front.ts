import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { App } from "aws-cdk-lib";
import type { FunctionName } from "../../lib/bundles.ts";
import { PipelineStack } from "../../lib/pipeline-stack.ts";
import { settings } from "../../lib/settings.ts";
import { jsonEndpoint } from "../../packages/local-aws/json-endpoint.ts";
import { startLoopbackServer } from "../../packages/local-aws/loopback-server.ts";
import { demoAccounts } from "../../packages/stand-in/demo-accounts.ts";
import { holdDelivery } from "../hold-delivery.ts";
import { type MirroredUnion, runningStack, startMirroredUnion } from "../mirrored-union.ts";
import type { RunnableFunction } from "./function-in-own-process.ts";
import { runnableFunctions } from "./runnable-functions.ts";

/** A union, a pipeline whose delivery is held, and all functions that can be deployed in front of them. */
export interface FunctionsInFront extends MirroredUnion {
  readonly functions: ReadonlyMap<FunctionName, RunnableFunction>;
  /** A vendor that every club has agreed with. */
  readonly apiSet: string;
  readonly username: string;
  readonly password: string;
  readonly authorization: string;
}

/** So many that each card of a submission can be of another course. */
const inventedClubs = 1_000;

/** A stack with everything switched on, for the functions that come with it; some of them do not run here. */
const whole = "scorecard-pipeline-whole";

/** Starts them, the mirror empty. */
export async function startFunctionsInFront(coursesFile: string | undefined): Promise<FunctionsInFront> {
  const [vendor] = demoAccounts;
  if (vendor === undefined) throw new Error("There is no demo account.");
  const { username, password, apiSet } = vendor;
  const assembly = mkdtempSync(join(tmpdir(), "scorecard-memory-"));
  const app = new App({ outdir: assembly });
  new PipelineStack(app, runningStack, { settings: settings.test });
  const all = { ...settings.test, allowedOrigins: ["https://scores.example"], outcomeEvents: true };
  new PipelineStack(app, whole, { settings: all });
  app.synth();
  const union = await startMirroredUnion(assembly, coursesFile, inventedClubs);
  const bus = await startEventBus();
  await holdDelivery({ ...union.run, queueUrl: union.run.resource("DeliveryQueue") });
  return {
    ...union,
    apiSet,
    username,
    password,
    authorization: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`,
    functions: await runnableFunctions(assembly, whole, union, { EVENTBRIDGE: bus.address }),
    async stop() {
      await Promise.all([union.stop(), bus.stop()]);
      rmSync(assembly, { recursive: true });
    },
  };
}

/** As much of EventBridge as takes events. */
function startEventBus() {
  return startLoopbackServer(
    jsonEndpoint((_, body) => {
      const { Entries } = body as { Entries: unknown[] };
      return {
        status: 200,
        body: { FailedEntryCount: 0, Entries: Entries.map((_, index) => ({ EventId: String(index) })) },
      };
    }),
  );
}
