import type { ApiSet } from "../accounts/account.ts";
import type { Assessment } from "../golf/assess.ts";
import { orUnavailable } from "../golf/refusal.ts";
import { judgeCorrections } from "./delivery/correction.ts";
import type { ScorecardTable } from "./delivery/scorecard-table.ts";
import type { Correction } from "./life/card.ts";
import { contentOf } from "./life/card-content.ts";

/** An assessed card that is compared with the one that is stored under its ExternalID. */
export type ComparedAssessment = Assessment & { readonly corrects?: Correction };

/**
 * Compares assessed cards with those that are stored, as a submission does. Nothing is stored.
 *
 * @param allowsAnyCorrection as for `judgeCorrections`
 * @throws RefusalError `unavailable` if the table cannot be read
 */
export async function compareAssessed(
  table: Pick<ScorecardTable, "read">,
  apiSet: ApiSet,
  assessments: readonly Assessment[],
  allowsAnyCorrection: boolean,
): Promise<readonly ComparedAssessment[]> {
  const keys = assessments.flatMap((one) => (one.good ? [{ apiSet, externalId: one.externalId }] : []));
  const read = await orUnavailable("The stored scorecards could not be read.", table.read(keys));
  const stored = new Map(read.map((card) => [card.externalId, card]));
  const compared = assessments.flatMap((one) =>
    one.good && stored.has(one.externalId) ? [{ ...one, content: contentOf(one.card) }] : [],
  );
  const judged = judgeCorrections(compared, stored, allowsAnyCorrection);
  const judgedOf = new Map(compared.map(({ index }, place) => [index, judged[place]]));
  return assessments.map((assessment): ComparedAssessment => {
    const found = judgedOf.get(assessment.index);
    if (!assessment.good || found === undefined) return assessment;
    const { index, externalId, warnings } = assessment;
    const { fault, warning, corrects } = found;
    if (fault !== undefined) return { good: false, index, externalId, faults: [fault], warnings };
    return {
      ...assessment,
      ...(warning !== undefined && { warnings: [...warnings, warning] }),
      ...(corrects !== undefined && { corrects }),
    };
  });
}
