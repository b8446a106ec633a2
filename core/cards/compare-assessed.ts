import type { ApiSet } from "../accounts/account.ts";
import type { Assessment } from "../golf/assess.ts";
import { orUnavailable } from "../golf/refusal.ts";
import { judgeCorrection } from "./delivery/correction.ts";
import type { ScorecardTable } from "./delivery/scorecard-table.ts";
import type { Correction } from "./life/card.ts";
import { contentOf } from "./life/card-content.ts";

/** An assessed card that is compared with the one that is stored under its ExternalID. */
export type ComparedAssessment = Assessment & { readonly corrects?: Correction };

/**
 * Compares assessed cards with those that are stored, as a submission does. Nothing is stored.
 *
 * @param allowsAnyCorrection as for `judgeCorrection`
 * @throws RefusalError `unavailable` if the table cannot be read
 */
export async function compareAssessed(
  table: Pick<ScorecardTable, "read">,
  apiSet: ApiSet,
  assessments: readonly Assessment[],
  allowsAnyCorrection: boolean,
): Promise<readonly ComparedAssessment[]> {
  const keys = assessments.flatMap((one) => (one.good ? [{ apiSet, externalId: one.externalId }] : []));
  const found = await orUnavailable("The stored scorecards could not be read.", table.read(keys));
  const stored = new Map(found.map((card) => [card.externalId, card]));
  return assessments.map((assessment): ComparedAssessment => {
    const before = assessment.good ? stored.get(assessment.externalId) : undefined;
    if (!assessment.good || before === undefined) return assessment;
    const { index, externalId, contentHash, card, warnings } = assessment;
    const compared = { index, externalId, contentHash, content: contentOf(card) };
    const { fault, warning, corrects } = judgeCorrection(compared, before, allowsAnyCorrection);
    if (fault !== undefined) return { good: false, index, externalId, faults: [fault], warnings };
    return {
      ...assessment,
      ...(warning !== undefined && { warnings: [...warnings, warning] }),
      ...(corrects !== undefined && { corrects }),
    };
  });
}
