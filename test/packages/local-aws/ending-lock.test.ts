import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import {
  type EndingLock,
  endingLock,
  take,
  uninterrupted,
} from "../../../packages/local-aws/functions/ending-lock.ts";
import type { ThreadData, ThreadMessage } from "../../../packages/local-aws/functions/runtime.ts";

/** A function that packs and unpacks a text, in a thread that shares the lock; it has been given a text. */
async function packing(ending: EndingLock): Promise<Worker> {
  const code = mkdtempSync(join(tmpdir(), "packing-"));
  writeFileSync(
    join(code, "index.mjs"),
    'import { deflateRawSync, inflateRawSync } from "node:zlib";\n' +
      "export const handler = (text) => inflateRawSync(deflateRawSync(text)).toString();\n",
  );
  const runtime = {
    code,
    handler: "index.handler",
    functionName: "packing",
    functionArn: "",
    memoryMegabytes: 128,
  };
  const workerData: ThreadData = { ending };
  const worker = new Worker(new URL("../../../packages/local-aws/functions/runtime.ts", import.meta.url), {
    workerData,
    execArgv: [],
  });
  onTestFinished(() => worker.terminate().then(() => undefined));
  const send = (message: ThreadMessage) => worker.postMessage(message);
  send({ kind: "start", environment: 1, runtime, variables: {}, isAlone: true });
  await once(worker, "message");
  send({ kind: "invoke", environment: 1, requestId: "1", event: '"golf"', deadline: Date.now() + 60_000 });
  return worker;
}

/** Wakes whoever waits for the lock, and says how many that were; they wait on. */
const waiting = (lock: EndingLock) => Atomics.notify(lock, 0);

test("a function does not begin to pack once its thread is to be ended", async () => {
  const ending = endingLock();
  take(ending);
  const worker = await packing(ending);
  await expect.poll(() => waiting(ending)).toBe(1);
  expect(await worker.terminate()).toBe(1);
});

test("it packs when nobody ends it, and leaves the lock to others", async () => {
  const ending = endingLock();
  const worker = await packing(ending);
  expect(await once(worker, "message")).toEqual([{ kind: "answer", environment: 1, answer: '"golf"' }]);
  take(ending);
});

test("a lock that a thread took along when it broke down is not waited for", () => {
  const lock = endingLock();
  take(lock);
  take(lock, 1);
  expect(Atomics.load(lock, 0)).toBe(1);
});

test("what fails leaves the lock to others too", () => {
  const lock = endingLock();
  const failing = () => {
    throw new Error("not packed");
  };
  expect(() => uninterrupted(lock, failing)).toThrow("not packed");
  take(lock);
});
