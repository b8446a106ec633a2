import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const prefix = "scorecard-tests-";

/**
 * Gives a run of the tests a temporary folder of its own, which is deleted at its end: a worker that is terminated does not
 * clean up, and nobody else deletes what the CDK synthesizes into a temporary folder.
 *
 * The projects share one folder. In folders within folders the path of Chromium's socket would be too long.
 */
export default function ownTemporaryFolder(): () => void {
  const before = tmpdir();
  if (basename(before).startsWith(prefix)) return () => undefined;
  const folder = mkdtempSync(join(before, prefix));
  process.env.TMPDIR = folder;
  return () => {
    process.env.TMPDIR = before;
    rmSync(folder, { recursive: true, force: true });
  };
}
