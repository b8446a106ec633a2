import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** The Python that tests of the Python client run, which the project does not need: of the variable PYTHON, or `python3`. */
export const python = process.env.PYTHON ?? "python3";

const meets = (condition: string): boolean => {
  try {
    execFileSync(python, ["-c", `import sys\n${condition}`], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

/** Whether there is a Python that the client runs on. */
export const hasPython = meets("assert sys.version_info >= (3, 10)");

/** Whether it can make environments that have pip. Debian has them in a package of their own, python3-venv. */
export const hasPip = hasPython && meets("import ensurepip, venv");

/** Whether it has mypy. */
export const hasMypy = hasPython && meets("import mypy");

/** A folder with an environment of Python in `.venv`, and nothing else. */
export interface PythonFolder {
  readonly folder: string;
  /** The environment's own Python. */
  readonly python: string;
  remove(): Promise<void>;
}

/** Makes a folder in which a wheel is installed. No index of packages is asked. @param wheel its path or address */
export async function installWheel(wheel: string): Promise<PythonFolder> {
  const folder = await mkdtemp(join(tmpdir(), "python-client-"));
  const run = promisify(execFile);
  await run(python, ["-m", "venv", ".venv"], { cwd: folder });
  await run(".venv/bin/pip", ["install", "--no-index", "--disable-pip-version-check", wheel], {
    cwd: folder,
  });
  return {
    folder,
    python: join(folder, ".venv/bin/python"),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
