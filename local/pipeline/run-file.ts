import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import type { LocalRun } from "../aws/local-run.ts";
import type { DemoAccount } from "./demo-accounts.ts";

const runSchema = z.object({
  /** Names this run, whose tables are its own. */
  id: z.string(),
  process: z.number(),
  api: z.string(),
  region: z.string(),
  /** Addresses of the services. */
  services: z.object({
    dynamodb: z.string(),
    sqs: z.string(),
    secretsManager: z.string(),
    lambda: z.string(),
    apiGateway: z.string(),
  }),
  outputs: z.record(z.string(), z.string()),
  accounts: z.array(z.object({ username: z.string(), password: z.string(), apiSet: z.string() })),
});

/** What the `scorecards` command has to know of a local run. */
export type KnownRun = z.infer<typeof runSchema>;

/** Where a local run tells of itself while it lasts, unless the environment names another file. */
export function runFilePath(environment: NodeJS.ProcessEnv): string {
  return (
    environment.SCORECARDS_LOCAL_RUN ??
    fileURLToPath(new URL("../../cdk.out/local-run.json", import.meta.url))
  );
}

/**
 * Tells other processes of a local run, so that they find it with nothing to configure.
 *
 * @returns a function that takes the file away again, unless it is another run's by then
 */
export async function writeRunFile(
  path: string,
  id: string,
  run: LocalRun,
  accounts: readonly DemoAccount[],
): Promise<() => Promise<void>> {
  const { api, region, outputs, dynamodb, sqs, secretsManager, lambda, apiGateway } = run;
  const known: KnownRun = {
    id,
    process: process.pid,
    api,
    region,
    services: { dynamodb, sqs, secretsManager, lambda, apiGateway },
    outputs,
    accounts: accounts.map(({ username, password, apiSet }) => ({ username, password, apiSet })),
  };
  await mkdir(dirname(path), { recursive: true });
  // A reader sees the whole file or none of it.
  const unfinished = `${path}.${process.pid}`;
  await writeFile(unfinished, JSON.stringify(known), { mode: 0o600 });
  await rename(unfinished, path);
  return async () => {
    if ((await readRunFile(path))?.id === id) await rm(path, { force: true });
  };
}

/** The local run that a file tells of; undefined where there is none or its process has ended. */
export async function readRunFile(path: string): Promise<KnownRun | undefined> {
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const known = runSchema.parse(JSON.parse(text));
  return isRunning(known.process) ? known : undefined;
}

function isRunning(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
