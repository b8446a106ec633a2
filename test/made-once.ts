import { existsSync, mkdirSync, mkdtempSync, renameSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/**
 * A folder that is made once in a run of the tests, for all files of all workers: the run's temporary folder keeps it. Nobody may
 * change what is in it.
 *
 * @param make fills the folder, which is empty
 */
export async function makeOnce(
  name: string,
  make: (folder: string) => Promise<void> | void,
): Promise<string> {
  const folder = join(tmpdir(), name);
  if (existsSync(folder)) return folder;
  await inTurn(async () => {
    if (existsSync(folder)) return;
    const made = mkdtempSync(`${folder}-`);
    await make(made);
    renameSync(made, folder);
  });
  return folder;
}

/** Has one worker at a time make something: the others mostly need the same. */
async function inTurn(make: () => Promise<void>): Promise<void> {
  const lock = join(tmpdir(), "made-once.lock");
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
    await make();
  } finally {
    rmdirSync(lock);
  }
}
