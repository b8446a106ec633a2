import { setTimeout as delay } from "node:timers/promises";
import {
  GetEventSourceMappingCommand,
  LambdaClient,
  ResourceInUseException,
  UpdateEventSourceMappingCommand,
} from "@aws-sdk/client-lambda";
import { type ExitCode, exitCode } from "../base/exit-code.ts";
import { findTarget } from "../base/find-target.ts";
import type { TargetStage } from "../base/target.ts";
import type { Terminal } from "../base/terminal.ts";

/** Options of `scorecards hold` and `scorecards release`. */
export interface HoldOptions {
  readonly stage: TargetStage;
  /** Longest time to wait until it is in effect, in seconds. */
  readonly timeout: number;
  readonly json?: true;
}

const pollMilliseconds = 1_000;
const firstPollMilliseconds = 50;

/**
 * `scorecards hold` and `scorecards release`: pauses and resumes all delivery, by disabling and enabling the event source
 * mapping from the delivery queue. Cards are accepted meanwhile.
 */
export const holdCommand =
  (held: boolean) =>
  async ({ stage, timeout, json }: HoldOptions, terminal: Terminal): Promise<ExitCode> => {
    const { outputs, client } = await findTarget(stage, terminal);
    const lambda = new LambdaClient(client("lambda"));
    const UUID = outputs.DeliveryEventSourceId;
    const wanted = held ? "Disabled" : "Enabled";
    const deadline = performance.now() + timeout * 1000;
    const state = async () =>
      (await lambda.send(new GetEventSourceMappingCommand({ UUID }))).State ?? "unknown";

    /** False if Lambda refuses the change because an earlier one is still in progress. */
    const requestChange = () =>
      lambda.send(new UpdateEventSourceMappingCommand({ UUID, Enabled: !held })).then(
        () => true,
        (error: unknown) => {
          if (error instanceof ResourceInUseException) return false;
          throw error;
        },
      );
    let current = await state();
    let isRequested = false;
    for (let pause = firstPollMilliseconds; current !== wanted; pause = pollMilliseconds) {
      if (performance.now() > deadline) {
        terminal.note(
          `Not in effect after ${timeout} s: the event source mapping is ${current}. Run the same command again.`,
        );
        return exitCode.unfinished;
      }
      if (!isRequested) isRequested = await requestChange();
      await delay(pause, undefined, { signal: terminal.signal });
      current = await state();
    }
    if (json) terminal.json({ delivery: held ? "held" : "released" });
    else {
      terminal.result(
        held
          ? "Delivery is on hold. Cards are accepted and wait; posts that had already started may still finish."
          : "Delivery resumed.",
      );
    }
    return exitCode.done;
  };
