import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/**
 * Has everything that a run of the tests leaves in the temporary folder lie in one of its own, which goes with it: a worker
 * that is ended does not clean up, and what the CDK synthesizes without being told where is nobody's.
 */
export default function ownTemporaryFolder(): () => void {
  const before = tmpdir();
  const folder = mkdtempSync(join(before, "scorecard-tests-"));
  process.env.TMPDIR = folder;
  return () => {
    process.env.TMPDIR = before;
    rmSync(folder, { recursive: true, force: true });
  };
}
