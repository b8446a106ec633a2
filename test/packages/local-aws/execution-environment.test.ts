import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  type ExecutionEnvironment,
  startExecutionEnvironment,
} from "../../../packages/local-aws/functions/execution-environment.ts";

interface Started extends ExecutionEnvironment {
  readonly lines: string[];
  ask(event?: unknown): Promise<unknown>;
}

/** A folder with a function's code. */
function write(code: string): string {
  const folder = mkdtempSync(join(tmpdir(), "function-"));
  writeFileSync(join(folder, "index.mjs"), code);
  return folder;
}

function start(code: string, variables: Record<string, string> = {}, timeoutSeconds = 60): Started {
  const lines: string[] = [];
  const environment = startExecutionEnvironment({
    runtime: { code, handler: "index.handler", functionName: "f", functionArn: "", memoryMegabytes: 128 },
    variables,
    timeoutSeconds,
    log: (line) => lines.push(line),
  });
  onTestFinished(() => environment.end());
  const ask = async (event: unknown = null) =>
    JSON.parse(String(await environment.invoke(JSON.stringify(event))));
  return { ...environment, lines, ask };
}

/** Starts environments of one code that share a thread: each other thread is given as many. */
function neighbours(code: string, ...settings: [variables?: Record<string, string>, seconds?: number][]) {
  const others = Math.min(availableParallelism(), 4) - 1;
  return settings.map(([variables, seconds]) => {
    const started = start(code, variables, seconds);
    for (let other = 0; other < others; other++) start(code);
    return started;
  }) as [Started, Started, ...Started[]];
}

/** Says in which thread it runs, and what only its own environment should see. */
const seen = `
import { threadId } from "node:worker_threads";
import { env } from "node:process";
import * as process_ from "process";
let times = 0;
globalThis.shared = (globalThis.shared ?? 0) + 1;
export const handler = async (name) => {
  console.log("one\\ntwo " + env.NAME);
  process.env.NUMBER = 7;
  return { threadId, times: ++times, name: process.env.NAME, same: process_.env.NAME, number: env.NUMBER, left: process.env.LEFT,
    home: "HOME" in process.env, shared: globalThis.shared, meta: import.meta.filename, dynamic: (await import("node:process")).env.NAME };
};`;

test("environments of one function share threads, and nothing else", async () => {
  const code = write(seen);
  const [one, other] = neighbours(code, [{ NAME: "one", LEFT: "1" }], [{ NAME: "other" }]);
  const [first, second] = (await Promise.all([one.ask(), other.ask()])) as Record<string, unknown>[];
  expect(first).toEqual({
    threadId: second?.threadId,
    times: 1,
    name: "one",
    same: "one",
    dynamic: "one",
    number: "7",
    left: "1",
    home: false,
    shared: 1,
    meta: join(code, "index.mjs"),
  });
  const { left: _, ...rest } = first ?? {};
  expect(second).toEqual({ ...rest, name: "other", same: "other", dynamic: "other" });
  expect(await one.ask()).toMatchObject({ times: 2 });
  expect(one.lines).toEqual(["one", "two one", "one", "two one"]);
  expect(other.lines).toEqual(["one", "two other"]);
});

test("environments of one function run on every processor", async () => {
  const code = write(seen);
  const threads = Array.from({ length: Math.min(availableParallelism(), 4) }, () => start(code));
  const answers = await Promise.all(threads.map((one) => one.ask() as Promise<{ threadId: number }>));
  expect(new Set(answers.map(({ threadId }) => threadId)).size).toBe(threads.length);
});

test("code that imports other modules has a thread of its own, and its real variables", async () => {
  const code = write('import "./other.mjs"; export const handler = async () => ({ ...process.env });');
  writeFileSync(join(code, "other.mjs"), "console.log(process.env.NAME);");
  const alone = start(code, { NAME: "alone" });
  expect(await alone.ask()).toEqual({ NAME: "alone" });
  await expect.poll(() => alone.lines).toEqual(["alone"]);
  expect(await start(code, { NAME: "next" }).ask()).toEqual({ NAME: "next" });
});

test.each([
  ["an error in a timer", "setTimeout(() => { throw new RangeError('too far'); })", "RangeError"],
  ["a rejected promise", "setTimeout(() => Promise.reject('lost'))", "Runtime.UnhandledPromiseRejection"],
  ["an exit", "process.exit(3)", "Runtime.ExitError"],
])("%s ends only the environment whose code it is", async (_, statement, errorType) => {
  const code = write(`let times = 0; export const handler = (how) => {
    if (how === "wait") return new Promise((resolve) => setTimeout(resolve, 100, ++times));
    ${statement}; return new Promise(() => {}); };`);
  const [one, other] = neighbours(code, [], []);
  await Promise.all([one.ask("wait"), other.ask("wait")]);
  const waits = other.ask("wait");
  await expect(one.ask("fail")).rejects.toMatchObject({ reported: { errorType } });
  expect(await waits).toBe(2);
  expect([one.alive(), other.alive()]).toEqual([false, true]);
});

test("an environment that was killed sends nothing more and leaves its neighbour alone", async () => {
  const requests: string[] = [];
  const server = createServer((request) => requests.push(request.url ?? "")).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await expect.poll(() => server.listening).toBe(true);
  const { port } = server.address() as AddressInfo;
  const broken = new Promise((resolve) =>
    server.once("connection", (socket) => socket.once("close", resolve)),
  );
  const code =
    write(`import { get } from "node:http"; import { setTimeout as delay } from "node:timers/promises";
    const ask = (path) => new Promise((resolve) => get("http://127.0.0.1:${port}" + path, resolve).on("error", resolve));
    export const handler = async (wait) => {
      if (wait) return await delay(wait, "waited");
      setTimeout(() => ask("/timer"), 50);
      await ask("/first"); await ask("/second"); console.log("went on"); };`);
  const [one, other] = neighbours(code, [], []);
  const neighbour = other.ask(300);
  const dies = expect(one.ask(0)).rejects.toThrow("signal: killed");
  await expect.poll(() => requests).toContain("/first");
  await one.end();
  await dies;
  await broken;
  expect(await neighbour).toBe("waited");
  expect(requests.filter((path) => path !== "/timer")).toEqual(["/first"]);
  expect(one.lines).toEqual([]);
});
