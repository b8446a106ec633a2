import type { Context } from "aws-lambda";
import { expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { batchResponse, consumer } from "../../../functions/runtime/consumer.ts";

const event = z.object({ Records: z.array(z.object({ messageId: z.string() })) });
const records = (...ids: string[]) => ({ Records: ids.map((messageId) => ({ messageId })) });
const contextWith = (remaining: number) =>
  ({ awsRequestId: "r", getRemainingTimeInMillis: () => remaining }) as Context;

/** A consumer of messages, and what it did in order. */
function traced(run: (ids: readonly string[], remaining: () => number) => Promise<readonly string[]>) {
  const steps: string[] = [];
  const handler = consumer({
    logInvocation: ({ awsRequestId }) => void steps.push(`log ${awsRequestId}`),
    event,
    figures: { publish: () => void steps.push("publish") },
    run: async ({ Records }, remaining) => {
      const ids = Records.map(({ messageId }) => messageId);
      steps.push(`run ${ids.join()}`);
      return batchResponse(await run(ids, remaining));
    },
  });
  return { handler, steps };
}

test("a consumer starts the log, runs, publishes the figures and reports the messages that failed", async () => {
  const { handler, steps } = traced(async (ids) => ids.slice(1));
  expect(await handler(records("a", "b", "c"), contextWith(1000))).toEqual({
    batchItemFailures: [{ itemIdentifier: "b" }, { itemIdentifier: "c" }],
  });
  expect(steps).toEqual(["log r", "run a,b,c", "publish"]);
});

test("a run that fails publishes its figures, and its error reaches Lambda", async () => {
  const { handler, steps } = traced(() => Promise.reject(new TypeError("broken")));
  await expect(handler(records("a"), contextWith(1000))).rejects.toThrow(new TypeError("broken"));
  expect(steps).toEqual(["log r", "run a", "publish"]);
});

test("an event of another shape is an error, and nothing runs", async () => {
  const { handler, steps } = traced(async () => []);
  await expect(handler({ Records: [{}] }, contextWith(1000))).rejects.toThrow();
  expect(steps).toEqual(["log r", "publish"]);
});

test("a run learns how much time is left, and is never answered for while it is under way", async () => {
  const ended = vi.fn();
  const { handler } = traced(async (_ids, remaining) => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    ended(remaining());
    return [];
  });
  // Middy's default would answer at once, 5 ms before the time limit.
  expect(await handler(records("a"), contextWith(1))).toEqual({ batchItemFailures: [] });
  expect(ended.mock.calls).toEqual([[1]]);
});
