import { spawn } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Synthesizes the app with the CDK CLI, as a deployment does.
 *
 * @param output folder of the cloud assembly
 * @param rehearsal whether alarms ring after seconds
 * @throws Error with the CLI's output if it fails
 */
export async function synthesize(output: string, rehearsal = false): Promise<void> {
  const cdk = fileURLToPath(import.meta.resolve("aws-cdk/bin/cdk"));
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const options = ["synth", "--quiet", "--no-notices", "-c", "stage=test", "--output", output];
  if (rehearsal) options.push("-c", "rehearsal=true");
  // The CLI and the construct library are large: compiled once, they start a second earlier the next time.
  const env = { NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache"), ...process.env };
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
