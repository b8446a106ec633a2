import { existsSync, mkdtempSync, renameSync } from "node:fs";
import { mkdir, rmdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/**
 * A folder that is made once in a run of the tests, for all files of all workers: the run's temporary folder keeps it. Nobody may
 * change what is in it. One worker at a time makes something, since the others mostly need the same.
 *
 * @param make fills the folder, which is empty
 */
export async function makeOnce(name: string, make: (folder: string) => unknown): Promise<string> {
  const folder = join(tmpdir(), name);
  const lock = join(tmpdir(), "made-once.lock");
  while (!existsSync(folder)) {
    const isTurn = await mkdir(lock).then(
      () => true,
      ({ code }) => code !== "EEXIST" && Promise.reject(new Error(`${lock} cannot be made: ${code}`)),
    );
    if (!isTurn) await delay(100);
    else {
      try {
        if (existsSync(folder)) break;
        const made = mkdtempSync(`${folder}-`);
        await make(made);
        renameSync(made, folder);
      } finally {
        await rmdir(lock);
      }
    }
  }
  return folder;
}
