import type { SyncReport } from "../../core/register/sync-report.ts";
import { log, logError } from "../runtime/log.ts";
import type { Figures } from "../runtime/metrics.ts";

/** Adds the metrics of a sync, and logs its counts, and the clubs that failed. */
export function recordSync(pass: string, report: SyncReport, metrics: Pick<Figures, "add">): void {
  const { examples, listed, stalestMilliseconds, ...counts } = report;
  metrics.add({
    // A mirror without clubs has no age. Without data its alarm rings, as it does if no sync runs.
    ...(stalestMilliseconds !== undefined && { MirrorAge: stalestMilliseconds / 1000 }),
    MirrorClubsMirrored: counts.mirrored,
    MirrorClubsFailed: counts.failed + (listed ? 0 : 1),
    MirrorVersionsChanged: counts.changedVersions + counts.removedVersions,
    MirrorEntriesSkipped: counts.skippedEntries,
    MirrorClubsUnlisted: counts.clubsForOperator,
  });
  const stalest = stalestMilliseconds !== undefined && { stalestMilliseconds };
  log({ message: "mirror pass", pass, listed: String(listed), ...counts, ...stalest });
  for (const failed of examples.failed) logError({ message: "club not mirrored", ...failed });
  for (const unlisted of examples.unlisted)
    logError({ message: "club not listed by the union", ...unlisted });
  for (const skipped of examples.skipped) logError({ message: "entries not mirrored", ...skipped });
}
