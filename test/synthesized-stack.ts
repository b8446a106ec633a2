import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Template } from "aws-cdk-lib/assertions";
import { type StageSettings, stackName } from "../lib/stage-settings.ts";
import { hurried } from "./hurried-settings.ts";

/**
 * The folder of a cloud assembly with these settings; by default that of almost all end-to-end tests. Each is synthesized once in a run
 * of the tests, for all files of all workers: the run's temporary folder keeps it. Nobody may change what is in it.
 */
export async function assemblyOf(given: StageSettings = hurried): Promise<string> {
  const name = createHash("sha256").update(JSON.stringify(given)).digest("hex").slice(0, 16);
  const folder = join(tmpdir(), `assembly-${name}`);
  if (!existsSync(folder)) {
    // The CDK takes a second to import, which a file whose assembly is there need not wait for.
    const { synthesizeStage } = await import("../local/pipeline/synthesize-stage.ts");
    await inTurn(() => {
      if (existsSync(folder)) return;
      const made = mkdtempSync(join(tmpdir(), "assembly-"));
      synthesizeStage(made, given);
      renameSync(made, folder);
    });
  }
  return folder;
}

/** Has one worker at a time synthesize: the others mostly need the same assembly, and all of them the functions' bundles. */
async function inTurn(synthesize: () => void): Promise<void> {
  const lock = join(tmpdir(), "synthesis.lock");
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      await delay(100);
    }
  }
  try {
    synthesize();
  } finally {
    rmdirSync(lock);
  }
}

/** The template of the stack with these settings. */
export async function templateOf(given: StageSettings): Promise<Template> {
  const [assembly, assertions] = await Promise.all([assemblyOf(given), import("aws-cdk-lib/assertions")]);
  const file = join(assembly, `${stackName(given.stage)}.template.json`);
  return assertions.Template.fromJSON(JSON.parse(readFileSync(file, "utf8")));
}
