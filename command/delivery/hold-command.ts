import { setTimeout as delay } from "node:timers/promises";
import {
  GetEventSourceMappingCommand,
  LambdaClient,
  ResourceInUseException,
  UpdateEventSourceMappingCommand,
} from "@aws-sdk/client-lambda";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { findTarget } from "../find-target.ts";
import type { TargetStage } from "../target.ts";
import type { Terminal } from "../terminal.ts";

/** Options of `scorecards hold` and `scorecards release`. */
export interface HoldOptions {
  readonly stage: TargetStage;
  /** Seconds until it must be in effect. */
  readonly timeout: number;
  readonly json?: true;
}

const pollMilliseconds = 1_000;
const firstPollMilliseconds = 50;

/**
 * `scorecards hold` and `scorecards release`: stops and restarts all delivery, by the event source between the queue
 * and the function. Cards are accepted all the while.
 */
export async function holdCommand(
  held: boolean,
  { stage, timeout, json }: HoldOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { outputs, client } = await findTarget(stage);
  const lambda = new LambdaClient(client("lambda"));
  const UUID = outputs.DeliveryEventSourceId;
  const wanted = held ? "Disabled" : "Enabled";
  const deadline = performance.now() + timeout * 1000;
  const state = async () =>
    (await lambda.send(new GetEventSourceMappingCommand({ UUID }))).State ?? "unknown";

  /** While an earlier change takes effect Lambda takes no other. */
  const ask = () =>
    lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: !held })).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ResourceInUseException) return false;
        throw error;
      },
    );
  let current = await state();
  let isAsked = false;
  for (let pause = firstPollMilliseconds; current !== wanted; pause = pollMilliseconds) {
    if (performance.now() > deadline) {
      terminal.note(`Not in effect after ${timeout} s: the event source is ${current}.`);
      return exitCode.unfinished;
    }
    if (!isAsked) isAsked = await ask();
    await delay(pause, undefined, { signal: terminal.signal });
    current = await state();
  }
  if (json) terminal.json({ delivery: held ? "held" : "released" });
  else {
    terminal.result(
      held
        ? "Delivery is on hold. Cards are accepted and wait; a post that was under way may still end."
        : "Delivery goes on.",
    );
  }
  return exitCode.done;
}
