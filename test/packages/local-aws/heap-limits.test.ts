import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

/** Fills its young generation, and answers with the most megabytes that it had. */
const filling = `
import { getHeapSpaceStatistics } from "node:v8";
const youngMegabytes = () =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size / 2 ** 20;
export async function handler() {
  const kept = [];
  let most = 0;
  for (let made = 0; made < 1_000_000; made++) {
    kept[made % 50_000] = { made, numbers: [made, made] };
    if (made % 10_000 === 0) most = Math.max(most, youngMegabytes());
  }
  return most;
}
`;

const module = new URL("../../../packages/local-aws/functions/execution-environment.ts", import.meta.url);

test("an environment has its own limit of young objects, whatever the process was started with", () => {
  const code = mkdtempSync(join(tmpdir(), "filling-"));
  onTestFinished(() => rmSync(code, { recursive: true }));
  writeFileSync(join(code, "index.mjs"), filling);
  const runtime = {
    code,
    handler: "index.handler",
    functionName: "filling",
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
  const options = ["--max-semi-space-size=1", "--input-type=module", "--eval", script];
  const megabytes = Number(execFileSync(process.execPath, options, { encoding: "utf8" }));
  expect(megabytes).toBeGreaterThan(4);
  expect(megabytes).toBeLessThanOrEqual(24);
});
