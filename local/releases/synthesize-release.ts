import { execFile } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

/** Whether this checkout has a commit: a shallow clone has few, and a downloaded archive has none. */
export async function hasCommit(commit: string): Promise<boolean> {
  try {
    await run("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: root });
    return true;
  } catch {
    return false;
  }
}

/**
 * Synthesizes the app as it was at a commit, with the dependencies of then.
 *
 * @param folder an empty one, which gets the commit's files
 * @param context of the CDK, such as `stage=test`
 * @returns the folder of the cloud assembly
 * @throws Error with the output of git, tar, npm or the CDK
 */
export async function synthesizeCommit(
  commit: string,
  folder: string,
  context: readonly string[],
): Promise<string> {
  const source = join(folder, "source");
  const archive = join(folder, "source.tar");
  const assembly = join(folder, "assembly");
  await mkdir(source, { recursive: true });
  await run("git", ["archive", "--output", archive, commit], { cwd: root });
  await run("tar", ["-xf", archive, "-C", source]);
  // A link to this checkout's node_modules would bring its own packages, too. npm takes from its cache what it has installed before.
  await run("npm", ["ci", "--prefer-offline", "--no-audit", "--no-fund"], { cwd: source });
  const cdk = fileURLToPath(import.meta.resolve("aws-cdk/bin/cdk"));
  const options = ["synth", "--quiet", "--no-notices", "--output", assembly];
  await run(process.execPath, [cdk, ...options, ...context.flatMap((one) => ["-c", one])], {
    cwd: source,
    // The app is started as `node`, which has to be the project's own.
    env: {
      ...process.env,
      PATH: `${join(process.execPath, "..")}:${process.env.PATH}`,
      CDK_VALIDATION: "false",
    },
  });
  return assembly;
}
