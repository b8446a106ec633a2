import type { PassReport } from "../../core/mirror/pass-report.ts";
import { log, logError } from "../log.ts";
import { measure } from "../metrics.ts";

/** Writes what a pass came to: figures as metrics, and in the log which clubs failed and what the register lacks. */
export function recordPass(pass: string, { examples, listed, ...counts }: PassReport): void {
  measure({
    MirrorAge: counts.stalestMilliseconds / 1000,
    MirrorClubsMirrored: counts.mirrored,
    MirrorClubsFailed: counts.failed + (listed ? 0 : 1),
    MirrorVersionsChanged: counts.changedVersions + counts.goneVersions,
  });
  log({ message: "mirror pass", pass, listed: String(listed), ...counts });
  for (const failed of examples.failed) logError({ message: "club not mirrored", ...failed });
  for (const incomplete of examples.incomplete)
    log({ message: "course incomplete in register", ...incomplete });
}
