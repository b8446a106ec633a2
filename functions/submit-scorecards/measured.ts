import type { CardAnswer } from "../../core/cards/submit.ts";
import type { Finding } from "../../core/golf/findings.ts";
import { RefusalError } from "../../core/golf/refusal.ts";
import { logError } from "../runtime/log.ts";
import { measure } from "../runtime/metrics.ts";

/**
 * Awaits a submission and counts its accepted and refused cards.
 *
 * @param recordRefused counts and stores the faults of refused cards for the vendor; its failure is only logged
 * @throws the submission's own error
 */
export async function measured(
  requestId: string,
  submission: Promise<readonly CardAnswer[]>,
  recordRefused: (faults: readonly Finding[]) => Promise<void>,
): Promise<readonly CardAnswer[]> {
  const countFor = async (accepted: number, warnings: number, faults: readonly Finding[]) => {
    count(requestId, accepted, warnings, faults);
    if (faults.length === 0) return;
    await recordRefused(faults).catch((error: unknown) => {
      logError({ message: "refusals were not recorded" }, error);
    });
  };

  try {
    const answers = await submission;
    const valid = answers.filter((answer) => answer.valid);
    const faults = answers.flatMap((answer) => (answer.valid ? [] : answer.faults));
    const warnings = valid.reduce((sum, { content }) => sum + content.warnings().length, 0);
    await countFor(valid.length, warnings, faults);
    return answers;
  } catch (error) {
    if (error instanceof RefusalError) {
      const { refusal } = error;
      await countFor(0, 0, refusal.kind === "invalidCards" ? refusal.faults : []);
    }
    throw error;
  }
}

function count(requestId: string, accepted: number, warnings: number, faults: readonly Finding[]): void {
  const refused = new Set(faults.map(({ index }) => index)).size;
  // Without faults nobody searches for the request by this line, and the ID would be a sixth of it.
  const about = faults.length > 0 ? { requestId } : {};
  const counts = { CardsAccepted: accepted, CardsRefused: refused, CardWarnings: warnings };
  // CloudWatch treats a missing figure as zero, so a zero would only cost its bytes.
  const counted = Object.entries(counts).filter(([, count]) => count > 0);
  if (counted.length > 0) measure(Object.fromEntries(counted), { about });
  const codes = Map.groupBy(faults, ({ code }) => code);
  for (const [code, found] of codes) measure({ CardFaults: found.length }, { by: { code }, about });
}
