import type { ApiSet } from "../../core/accounts/account.ts";
import type { RecordCheckReport } from "../../core/records/check-records.ts";
import { log, logError } from "../runtime/log.ts";
import type { Figures } from "../runtime/metrics.ts";

/**
 * Adds the metrics of a run, and logs its counts.
 *
 * @param refused vendors whose account may read no records, or cannot be read itself
 */
export function reportCheck(
  { lateMilliseconds, ...counts }: RecordCheckReport,
  refused: readonly ApiSet[],
  figures: Pick<Figures, "add">,
): void {
  figures.add({
    RecordsFound: counts.recorded,
    RecordsMissing: counts.notRecorded,
    RecordsUncheckable: counts.uncheckable,
    RecordsUnanswered: counts.unanswered,
    RecordAccountsRefused: refused.length,
    RecordCheckDelay: lateMilliseconds / 1000,
  });
  log({ message: "records checked", ...counts, lateMilliseconds });
  for (const apiSet of refused) {
    logError({ message: "the union refuses a vendor's account the players' records", apiSet });
  }
}
