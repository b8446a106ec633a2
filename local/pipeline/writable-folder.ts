import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";

/**
 * Creates a folder if there is none, and tries whether it can be written to: permissions alone do not tell of a disk that is
 * read-only.
 *
 * @throws UnwritableFolderError
 */
export async function writableFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
    await rm(await mkdtemp(join(path, ".writable-")), { recursive: true });
  } catch (cause) {
    throw new UnwritableFolderError(path, cause);
  }
}

/** Nothing can be written into a folder that a run needs. */
export class UnwritableFolderError extends Error {
  override readonly name = "UnwritableFolderError";

  constructor(path: string, cause: unknown) {
    const { code } = cause as NodeJS.ErrnoException;
    super(
      `The folder ${path} cannot be written to (${code}), and the local run puts the built stack there. Make ${dirname(path)} writable, or run a copy of it.`,
      { cause },
    );
  }
}
