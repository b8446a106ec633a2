import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { UnionName } from "../../unions/unions.ts";
import type { Variant } from "./settings-variants.ts";

/**
 * Synthesizes the app with the CDK CLI, as a deployment does.
 *
 * @param output folder of the cloud assembly
 * @param variant of the stage's settings: those of the local run, or with alarms that ring after seconds
 * @param union the one that the stage serves, if not that of the settings
 * @throws Error with the CLI's output if it fails
 */
export async function synthesize(output: string, variant?: Variant, union?: UnionName): Promise<void> {
  const cdk = fileURLToPath(import.meta.resolve("aws-cdk/bin/cdk"));
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const options = ["synth", "--quiet", "--no-notices", "-c", "stage=test", "--output", output];
  if (variant !== undefined) options.push("-c", `variant=${variant}`);
  if (union !== undefined) options.push("-c", `union-profile=${union}`);
  // The CLI and the construct library are large: compiled once, they start a second earlier the next time.
  // The CDK's own check of the template takes as long as all the rest; `cdk synth` and `cdk deploy` make it.
  const quicker = { NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache"), CDK_VALIDATION: "false" };
  const env = { ...quicker, ...process.env };
  const child = spawn(process.execPath, [cdk, ...options], {
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
  if (status !== 0) throw new Error(`cdk synth failed.\n${Buffer.concat(printed).toString()}`);
}
