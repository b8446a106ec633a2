import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Template } from "aws-cdk-lib/assertions";
import { type StageSettings, stackName } from "../lib/stage-settings.ts";

/**
 * The folder of a cloud assembly with these settings. Each is synthesized once in a run of the tests, for all files of all
 * workers: the run's temporary folder keeps it. Nobody may change what is in it.
 */
export async function assemblyOf(given: StageSettings): Promise<string> {
  const name = createHash("sha256").update(JSON.stringify(given)).digest("hex").slice(0, 16);
  const folder = join(tmpdir(), `assembly-${name}`);
  if (existsSync(folder)) return folder;
  // The CDK takes a second to import, which a file whose assembly is there need not wait for.
  const { synthesizeStage } = await import("../local/pipeline/synthesize-stage.ts");
  const made = mkdtempSync(join(tmpdir(), "assembly-"));
  synthesizeStage(made, given);
  try {
    renameSync(made, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    // Another worker was faster.
    rmSync(made, { recursive: true });
  }
  return folder;
}

/** The template of the stack with these settings. */
export async function templateOf(given: StageSettings): Promise<Template> {
  const [assembly, assertions] = await Promise.all([assemblyOf(given), import("aws-cdk-lib/assertions")]);
  const file = join(assembly, `${stackName(given.stage)}.template.json`);
  return assertions.Template.fromJSON(JSON.parse(readFileSync(file, "utf8")));
}
