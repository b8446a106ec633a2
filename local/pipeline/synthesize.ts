import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { UnionName } from "../../unions/unions.ts";
import type { Variant } from "./settings-variants.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Synthesizes the app as the CDK CLI does for a deployment, which is too large to load for that alone: by the app's own program, with
 * the context of cdk.json.
 *
 * @param output folder of the cloud assembly
 * @param variant of the stage's settings: those of the local run, or with alarms that ring after seconds
 * @param union the one that the stage serves, if not that of the settings
 * @throws Error with the app's output if it fails
 */
export async function synthesize(output: string, variant?: Variant, union?: UnionName): Promise<void> {
  const { context } = JSON.parse(readFileSync(join(root, "cdk.json"), "utf8")) as {
    readonly context: object;
  };
  const env = {
    // The construct library is large: compiled once, it starts earlier the next time.
    NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache"),
    // The checks of the template take as long as all the rest; `cdk synth` and `cdk deploy` make them.
    CDK_VALIDATION: "false",
    ...process.env,
    CDK_OUTDIR: output,
    CDK_CONTEXT_JSON: JSON.stringify({ ...context, stage: "test", variant, "union-profile": union }),
  };
  const child = spawn(process.execPath, ["bin/scorecard-pipeline.ts"], {
    cwd: root,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const printed: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data: Buffer) => printed.push(data));
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on("error", reject);
  child.on("close", resolve);
  const status = await promise;
  if (status !== 0) throw new Error(`The synthesis failed.\n${Buffer.concat(printed).toString()}`);
}
