import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { LocalRun } from "@scorecard-pipeline/local-aws";
import * as z from "zod";
import type { DemoAccount } from "./demo-accounts.ts";

const runSchema = z.object({
  /** Identifies this run, which has its own tables. */
  id: z.string(),
  process: z.number(),
  api: z.string(),
  region: z.string(),
  services: z.object({
    dynamodb: z.string(),
    sqs: z.string(),
    secretsManager: z.string(),
    lambda: z.string(),
    apiGateway: z.string(),
    cloudWatch: z.string(),
  }),
  outputs: z.record(z.string(), z.string()),
  accounts: z.array(z.object({ username: z.string(), password: z.string(), apiSet: z.string() })),
});

/** The description of a local run for the `scorecards` command. */
type KnownRun = z.infer<typeof runSchema>;

/** Path of the file that describes the current local run: SCORECARDS_LOCAL_RUN, or one in cdk.out. */
export function runFilePath(environment: NodeJS.ProcessEnv): string {
  return (
    environment.SCORECARDS_LOCAL_RUN ??
    fileURLToPath(new URL("../../cdk.out/local-run.json", import.meta.url))
  );
}

/**
 * Writes the file by which other processes find the local run without configuration.
 *
 * @returns a function that removes the file, unless another run has replaced it
 */
export async function writeRunFile(
  path: string,
  id: string,
  run: LocalRun,
  accounts: readonly DemoAccount[],
): Promise<() => Promise<void>> {
  const { api, region, outputs, dynamodb, sqs, secretsManager, lambda, apiGateway, cloudWatch } = run;
  const known: KnownRun = {
    id,
    process: process.pid,
    api,
    region,
    services: { dynamodb, sqs, secretsManager, lambda, apiGateway, cloudWatch },
    outputs,
    accounts: accounts.map(({ username, password, apiSet }) => ({ username, password, apiSet })),
  };
  await mkdir(dirname(path), { recursive: true });
  // Renamed when complete, so that no reader sees half a file.
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, JSON.stringify(known), { mode: 0o600 });
  await rename(temporary, path);
  return async () => {
    if ((await readRunFile(path))?.id === id) await rm(path, { force: true });
  };
}

/**
 * The local run that a file describes; undefined if there is no file or the run's process has ended.
 *
 * @throws Error that says what to do if the file is not one of this version
 */
export async function readRunFile(path: string): Promise<KnownRun | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const read = runSchema.safeParse(parsedJson(text));
  if (!read.success) {
    throw new Error(
      `${path} is damaged, or another version wrote it. Stop the local run and start it again with \`npm start\`.`,
      { cause: read.error.message },
    );
  }
  const known = read.data;
  return isRunning(known.process) ? known : undefined;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
