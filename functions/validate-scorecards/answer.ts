import type { ComparedAssessment } from "../../core/cards/delivery/correction.ts";
import { explainCard } from "../../core/golf/explain.ts";
import { RefusalError } from "../../core/golf/refusal.ts";
import type { PlayerCounts } from "../../core/players/check-assessed.ts";
import { firstThatFit, fitsResponse, type HttpResponse, json, maxResponseBytes } from "../http/response.ts";

/** How a submission would be answered for a card, without the card, and with no more faults than fit into so many bytes. */
function answerWithoutCard(
  { index, externalId, warnings, ...assessment }: ComparedAssessment,
  bytes = maxResponseBytes,
) {
  if (assessment.good) {
    const { contentHash, corrects } = assessment;
    return { index, externalId, status: 201, contentHash, corrects, warnings };
  }
  const errors = firstThatFit(assessment.faults, bytes);
  const leftOut = assessment.faults.length - errors.length;
  return {
    index,
    externalId,
    status: 422,
    warnings,
    errors,
    ...(leftOut > 0 && { errorsLeftOut: leftOut }),
  };
}

/** The same with the card as it would be delivered, and if asked for with how its figures are calculated. */
function answerWithCard(assessment: ComparedAssessment, { isExplained = false, bytes = maxResponseBytes }) {
  const found = answerWithoutCard(assessment, bytes);
  if (!assessment.good) return found;
  const { card } = assessment;
  return { ...found, card, ...(isExplained && { derivation: explainCard(card) }) };
}

/** Bytes reserved for the other fields of an entry. */
const restOfEntry = 500;

/** A body with an entry for each card; undefined as soon as it is larger than a response may be. */
function bodyOf(
  accepted: boolean,
  entries: Iterable<object>,
  players: PlayerCounts | undefined,
): string | undefined {
  const texts: string[] = [];
  let characters = 0;
  for (const entry of entries) {
    const text = JSON.stringify(entry);
    characters += text.length;
    if (characters > maxResponseBytes) return undefined;
    texts.push(text);
  }
  const counts = players === undefined ? "" : `"players":${JSON.stringify(players)},`;
  const body = `{"accepted":${accepted},${counts}"cards":[${texts.join(",")}]}`;
  return fitsResponse([body]) ? body : undefined;
}

/**
 * 200 with the answers a submission would get, one entry a card in order; without derivations if the response would be too large.
 *
 * @param players if the union was asked for them
 * @param isMinimal without the cards, too
 * @throws RefusalError `tooLarge` if the answer is too large
 */
export function validation(
  assessments: readonly ComparedAssessment[],
  { players, isMinimal = false }: { readonly players?: PlayerCounts; readonly isMinimal?: boolean } = {},
): HttpResponse {
  const accepted = assessments.every(({ good }) => good);
  const bytes = Math.floor(maxResponseBytes / assessments.length) - restOfEntry;
  const forms: readonly ((assessment: ComparedAssessment) => object)[] = isMinimal
    ? [(one) => answerWithoutCard(one, bytes)]
    : [(one) => answerWithCard(one, { isExplained: true }), (one) => answerWithCard(one, { bytes })];
  for (const form of forms) {
    const body = bodyOf(accepted, assessments.values().map(form), players);
    if (body !== undefined) return json(200, body);
  }
  throw new RefusalError({ kind: "tooLarge", limit: "about 5 MiB with all that is derived" });
}
