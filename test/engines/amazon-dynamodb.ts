import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import type { RunningDynamoDb } from "../core/aws/engine.ts";

/** A package that has Amazon's DynamoDB Local in it; npm checks what it fetches. */
const packageName = "amplify-dynamodb-simulator";
const packageVersion = "2.9.30";

const cache = join(import.meta.dirname, "../../node_modules/.cache");
const startMilliseconds = 30_000;
const pollMilliseconds = 50;

const run = promisify(execFile);

/** Amazon's engine is not to be had on this machine. */
class EngineUnavailableError extends Error {
  override readonly name = "EngineUnavailableError";
}

/**
 * Folder of the unpacked engine. It is fetched once and kept beside the installed packages, and is not one of them: who
 * only installs the project neither needs nor gets it.
 */
async function fetchEngine(): Promise<string> {
  const folder = join(cache, `${packageName}-${packageVersion}`);
  const engine = join(folder, "package", "emulator");
  if (existsSync(engine)) return engine;
  await mkdir(cache, { recursive: true });
  const unfinished = await mkdtemp(`${folder}-`);
  try {
    const pack = ["pack", `${packageName}@${packageVersion}`, "--silent", "--fetch-retries=0"];
    const { stdout } = await run("npm", pack, { cwd: unfinished });
    const archive = stdout.trim();
    await run("tar", ["-xzf", archive], { cwd: unfinished });
    await rm(join(unfinished, archive));
    // Another run of the tests may have been quicker.
    await rename(unfinished, folder).catch((error) => {
      if (!existsSync(engine)) throw error;
    });
  } catch (cause) {
    throw new EngineUnavailableError("no package", { cause });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return engine;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Starts Amazon's DynamoDB Local, which keeps everything in memory.
 *
 * @throws EngineUnavailableError if there is no Java or the engine cannot be fetched
 */
export async function startAmazonDynamoDb(): Promise<RunningDynamoDb> {
  await run("java", ["-version"]).catch((cause) => {
    throw new EngineUnavailableError("no Java", { cause });
  });
  const cwd = await fetchEngine();
  const port = await freePort();
  // It compiles little in the seconds for which it runs.
  const java = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Djava.library.path=./DynamoDBLocal_lib"];
  const engine = [
    "-jar",
    "DynamoDBLocal.jar",
    "-inMemory",
    "-sharedDb",
    "-disableTelemetry",
    "-port",
    String(port),
  ];
  const child = spawn("java", [...java, ...engine], { cwd, stdio: "ignore" });
  const kill = () => child.kill();
  process.once("exit", kill);
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const endpoint = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + startMilliseconds;
  const isAnswering = () =>
    fetch(endpoint).then(
      () => true,
      () => false,
    );
  while (!(await isAnswering())) {
    if (child.exitCode !== null || Date.now() > deadline) {
      kill();
      throw new EngineUnavailableError("no start");
    }
    await delay(pollMilliseconds);
  }
  return {
    endpoint,
    async stop() {
      process.off("exit", kill);
      kill();
      await ended;
    },
  };
}
