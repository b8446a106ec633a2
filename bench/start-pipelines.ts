import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demoAccounts } from "@scorecard-pipeline/stand-in";
import { settings } from "../lib/settings.ts";
import { synthesizeStage } from "../local/pipeline/synthesize-stage.ts";
import { type OwnProcess, startOwnProcess } from "./own-process.ts";
import type { PipelineReady } from "./pipeline-process.ts";
import { type NextCards, seasonOf } from "./played-cards.ts";
import type { UnionReady } from "./union-process.ts";

/** A union and the pipeline in front of it, each in a process of its own. */
export interface Bench {
  readonly union: UnionReady;
  readonly ours: PipelineReady;
  /** The Authorization header that both the API and the union take. */
  readonly authorization: string;
  readonly apiSet: string;
  /** Cards to submit: those that follow the ones that were taken before. */
  readonly nextCards: NextCards;
  stop(): Promise<void>;
}

/** The options of Node that `npm start` has. */
const startOptions = (): string[] => {
  const { scripts } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
    readonly scripts: { readonly start: string };
  };
  return scripts.start.split(" ").filter((word) => word.startsWith("--"));
};

/** A stage's settings, with a plan that limits no measurement. */
const benchSettings = {
  ...settings.test,
  usagePlans: {
    ...settings.test.usagePlans,
    tournament: { ...settings.test.usagePlans.tournament, ratePerSecond: 5_000 },
  },
};

/** Starts the union's stand-in, and the pipeline as it is deployed. */
export async function startPipelines(): Promise<Bench> {
  const [vendor] = demoAccounts;
  if (vendor === undefined) throw new Error("There is no demo account.");
  const { username, password, apiSet } = vendor;
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;

  const assembly = mkdtempSync(join(tmpdir(), "scorecard-bench-"));
  synthesizeStage(assembly, benchSettings);

  const started: OwnProcess<unknown>[] = [];
  const start = async <Ready>(module: string, options: object, ...execArgv: string[]): Promise<Ready> => {
    const own = await startOwnProcess<Ready>(new URL(module, import.meta.url), options, execArgv);
    started.push(own);
    return own.ready;
  };
  const stop = async () => {
    await Promise.all(started.map((own) => own.stop()));
    rmSync(assembly, { recursive: true });
  };
  try {
    const union = await start<UnionReady>("union-process.ts", {});
    const ours = await start<PipelineReady>(
      "pipeline-process.ts",
      { assembly, union: union.address },
      ...startOptions(),
    );
    return { union, ours, authorization, apiSet, nextCards: seasonOf(union), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
