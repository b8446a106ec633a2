import type { ComparedAssessment } from "../../core/cards/compare-assessed.ts";
import { explainCard } from "../../core/golf/explain.ts";
import { RefusalError } from "../../core/golf/refusal.ts";
import type { PlayerCounts } from "../../core/players/check-assessed.ts";
import { firstThatFit, fitsResponse, type HttpResponse, json, maxResponseBytes } from "../http/response.ts";

/** The answer to a card of a submission, and how its figures are calculated. */
function explained(assessment: ComparedAssessment) {
  const { index, externalId, warnings } = assessment;
  if (!assessment.good) return { index, externalId, status: 422, errors: assessment.faults, warnings };
  const { card, contentHash, corrects } = assessment;
  return {
    index,
    externalId,
    status: 201,
    card,
    contentHash,
    corrects,
    warnings,
    derivation: explainCard(card),
  };
}

/** The same without the derivation, and with no more faults than fit into so many bytes. */
function shortened(assessment: ComparedAssessment, bytes: number) {
  const { index, externalId, warnings } = assessment;
  if (assessment.good) {
    const { card, contentHash, corrects } = assessment;
    return { index, externalId, status: 201, card, contentHash, corrects, warnings };
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
 * @throws RefusalError `tooLarge` if the cards alone are too large
 */
export function validation(assessments: readonly ComparedAssessment[], players?: PlayerCounts): HttpResponse {
  const accepted = assessments.every(({ good }) => good);
  const whole = bodyOf(accepted, assessments.values().map(explained), players);
  if (whole !== undefined) return json(200, whole);

  const share = Math.floor(maxResponseBytes / assessments.length) - restOfEntry;
  const shorter = assessments.values().map((assessment) => shortened(assessment, share));
  const short = bodyOf(accepted, shorter, players);
  if (short === undefined)
    throw new RefusalError({ kind: "tooLarge", limit: "about 5 MiB with all that is derived" });
  return json(200, short);
}
