import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

/**
 * Answers with the megabytes that its heap may have, old and young objects together. How many it has at most would be no measure: on a
 * busy machine V8 lets the young ones go beyond their limit for a while.
 */
const heapLimit = `
import { getHeapStatistics } from "node:v8";
export const handler = async () => getHeapStatistics().heap_size_limit / 2 ** 20;
`;

const module = new URL("../../../../packages/local-aws/functions/execution-environment.ts", import.meta.url);

/** Of the main thread: one value far below an environment's own limit, one far above. */
test.each([1, 64])(
  "semi-spaces of %i MB leave the thread of environments the limits of its own",
  (megabytes) => {
    const code = mkdtempSync(join(tmpdir(), "heap-limit-"));
    onTestFinished(() => rmSync(code, { recursive: true }));
    writeFileSync(join(code, "index.mjs"), heapLimit);
    const runtime = {
      code,
      handler: "index.handler",
      functionName: "heap-limit",
      functionArn: "",
      memoryMegabytes: 512,
    };
    const settings = `{ runtime: ${JSON.stringify(runtime)}, variables: {}, timeoutSeconds: 60, log: console.error }`;
    const script = `
    import { startExecutionEnvironment } from ${JSON.stringify(module.href)};
    const environment = startExecutionEnvironment(${settings});
    console.log(await environment.invoke("{}"));
    await environment.end();
  `;
    const options = [`--max-semi-space-size=${megabytes}`, "--input-type=module", "--eval", script];
    const limit = Number(execFileSync(process.execPath, options, { encoding: "utf8" }));
    expect(limit).toBe(640 + 24);
  },
);
