import type { PassReport } from "../../core/courses/sync/sync-report.ts";
import { log, logError } from "../runtime/log.ts";
import { measure } from "../runtime/metrics.ts";

/** Writes what a pass came to: figures as metrics, and in the log which clubs failed and what the register lacks. */
export function recordPass(
  pass: string,
  { examples, listed, stalestMilliseconds, ...counts }: PassReport,
): void {
  measure({
    // A mirror without a club is of no age, and the alarm of its age rings as it does where it does not run.
    ...(stalestMilliseconds !== undefined && { MirrorAge: stalestMilliseconds / 1000 }),
    MirrorClubsMirrored: counts.mirrored,
    MirrorClubsFailed: counts.failed + (listed ? 0 : 1),
    MirrorVersionsChanged: counts.changedVersions + counts.goneVersions,
  });
  const stalest = stalestMilliseconds !== undefined && { stalestMilliseconds };
  log({ message: "mirror pass", pass, listed: String(listed), ...counts, ...stalest });
  for (const failed of examples.failed) logError({ message: "club not mirrored", ...failed });
  for (const incomplete of examples.incomplete)
    log({ message: "course incomplete in register", ...incomplete });
}
