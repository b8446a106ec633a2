import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Template } from "aws-cdk-lib/assertions";
import { type StageSettings, stackName } from "../lib/stage-settings.ts";
import { hurried } from "./hurried-settings.ts";
import { makeOnce } from "./made-once.ts";

/** The folder of a cloud assembly with these settings; by default that of almost all end-to-end tests. */
export function assemblyOf(given: StageSettings = hurried): Promise<string> {
  const name = createHash("sha256").update(JSON.stringify(given)).digest("hex").slice(0, 16);
  return makeOnce(`assembly-${name}`, async (folder) => {
    // The CDK takes a second to import, which a file whose assembly is there need not wait for.
    const { synthesizeStage } = await import("../local/pipeline/synthesize-stage.ts");
    synthesizeStage(folder, given);
  });
}

/** The template of the stack with these settings. */
export async function templateOf(given: StageSettings): Promise<Template> {
  const [assembly, assertions] = await Promise.all([assemblyOf(given), import("aws-cdk-lib/assertions")]);
  const file = join(assembly, `${stackName(given.stage)}.template.json`);
  return assertions.Template.fromJSON(JSON.parse(readFileSync(file, "utf8")));
}
