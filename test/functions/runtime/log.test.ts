import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

/** The lines that a function prints at a log level, with the variable that Lambda sets for JSON logs. */
function printed(level: string): string[] {
  const script = `
    import { log, logError } from "./functions/runtime/log.ts";
    log({ message: "all is well" });
    logError({ message: "something is wrong" });`;
  const output = execFileSync(process.execPath, ["--input-type=module-typescript", "--eval", script], {
    env: { ...process.env, AWS_LAMBDA_LOG_LEVEL: "INFO", POWERTOOLS_LOG_LEVEL: level },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  return output
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line).message);
}

test("the stage's log level applies, whatever Lambda's own filter allows", () => {
  expect(printed("INFO")).toContain("all is well");
  expect(printed("WARN")).not.toContain("all is well");
});

test("runs that overlap log with their own keys", () => {
  const script = `
    import { installInvokeStore } from "./packages/local-aws/functions/invoke-store.ts";
    import { log, logInvocation } from "./functions/runtime/log.ts";
    const inContext = installInvokeStore();
    const run = (awsRequestId, milliseconds) => inContext(awsRequestId, async () => {
      logInvocation({ awsRequestId }, { apiSet: "of " + awsRequestId });
      await new Promise((resolve) => setTimeout(resolve, milliseconds));
      log({ message: "end of " + awsRequestId });
    });
    await Promise.all([run("one", 100), run("two", 10)]);`;
  const output = execFileSync(process.execPath, ["--input-type=module-typescript", "--eval", script], {
    env: { ...process.env, AWS_LAMBDA_MAX_CONCURRENCY: "2", POWERTOOLS_LOG_LEVEL: "INFO" },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lines = output
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  expect(new Set(lines.map(({ message }) => message))).toEqual(new Set(["end of one", "end of two"]));
  for (const { message, function_request_id, apiSet } of lines) {
    expect([`end of ${function_request_id}`, apiSet]).toEqual([message, `of ${function_request_id}`]);
  }
});
