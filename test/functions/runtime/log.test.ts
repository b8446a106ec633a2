import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";

/** The lines that a function prints at a log level, with the variable that Lambda sets for JSON logs. */
function printed(level: string): string[] {
  const script = `
    import { log, logError } from "./functions/runtime/log.ts";
    log({ message: "all is well" });
    logError({ message: "something is wrong" });`;
  const output = execFileSync(process.execPath, ["--input-type=module-typescript", "--eval", script], {
    env: { AWS_LAMBDA_LOG_LEVEL: "INFO", POWERTOOLS_LOG_LEVEL: level },
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
