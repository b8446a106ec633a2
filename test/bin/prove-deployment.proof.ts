import { execFile, spawn, spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

/** MiniStack 1.5.33 of PyPI, which needs no Docker: `pip install 'ministack[full]==1.5.33'`. */
const emulator = process.env.MINISTACK ?? "ministack";
const port = 4_599;

test.skipIf(spawnSync(emulator, ["--help"], { timeout: 30_000 }).error !== undefined)(
  "deploy:prove ends well on an emulator, and names each step that it leaves out there",
  async () => {
    const PATH = `${dirname(process.execPath)}:${process.env.PATH}`;
    const own = { GATEWAY_PORT: String(port), MINISTACK_REGION: "eu-west-1", IOT_MTLS_ENABLED: "0" };
    const running = { ...process.env, PATH, BIND_HOST: "127.0.0.1", ...own };
    const started = spawn(emulator, { env: running, stdio: "ignore" });
    onTestFinished(() => void started.kill());
    const endpoint = `http://127.0.0.1:${port}`;
    await expect.poll(() => fetch(endpoint)).toBeDefined();
    const keys = { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test", AWS_REGION: "eu-west-1" };
    const env = { ...process.env, PATH, ...keys, AWS_ENDPOINT_URL: endpoint };
    const { stdout } = await promisify(execFile)(process.execPath, ["bin/prove-deployment.ts"], { env });
    const told = stdout
      .trim()
      .split("\n")
      .map((line) => line.slice(10));
    expect(told.filter((line) => line.includes("left out"))).toEqual([
      expect.stringMatching(/^left out of the stack on an emulator: alarms on metric math/),
      "a deployment that fails: left out: an emulator takes a name twice",
      "windows of the stream, metrics: left out: an emulator follows no stream",
      "alarm through the encrypted topic: left out: an emulator does not note what alarms do",
      "streamed and gzipped answers: left out: an emulator streams no answers",
      "rollback: left out: an emulator refuses alarms of that template",
    ]);
    expect(told).toContainEqual(expect.stringMatching(/^1,000 cards, fair queues: 1,000 cards in [\d.]+ s/));
    expect(told.at(-1)).toMatch(/^removed/);
  },
);
