import { RefusalError } from "../../core/refusal.ts";
import type { Assessment } from "../../core/scorecard/assess.ts";
import { explainCard } from "../../core/scorecard/explain.ts";
import { firstThatFit, fitsAnswer, mostAnswerBytes } from "../http/answer-size.ts";
import { type HttpResponse, json } from "../http/response.ts";

/** What a card would be answered, and how its figures come about. */
function explained(assessment: Assessment) {
  const { index, externalId, warnings } = assessment;
  return assessment.good
    ? {
        index,
        externalId,
        status: 201,
        card: assessment.card,
        warnings,
        derivation: explainCard(assessment.card),
      }
    : { index, externalId, status: 422, errors: assessment.faults, warnings };
}

/** The same without the derivation, and with no more faults than fit into so many bytes. */
function shortened(assessment: Assessment, bytes: number) {
  const { derivation, errors, ...entry } = {
    derivation: undefined,
    errors: undefined,
    ...explained(assessment),
  };
  if (errors === undefined) return entry;
  const shown = firstThatFit(errors, bytes);
  const leftOut = errors.length - shown.length;
  return { ...entry, errors: shown, ...(leftOut > 0 && { errorsLeftOut: leftOut }) };
}

/** Bytes of an entry that are kept for what is not a fault. */
const restOfEntry = 500;

/** A body with an entry for each card, written one by one; undefined as soon as it is more than an answer can carry. */
function bodyOf(accepted: boolean, entries: Iterable<object>): string | undefined {
  const texts: string[] = [];
  let characters = 0;
  for (const entry of entries) {
    const text = JSON.stringify(entry);
    characters += text.length;
    if (characters > mostAnswerBytes) return undefined;
    texts.push(text);
  }
  const body = `{"accepted":${accepted},"cards":[${texts.join(",")}]}`;
  return fitsAnswer([body]) ? body : undefined;
}

/**
 * 200: what a submission would be answered, one entry a card in order, with all that an answer can carry.
 *
 * @throws RefusalError `tooLarge` if the cards alone are too much
 */
export function validation(assessments: readonly Assessment[]): HttpResponse {
  const accepted = assessments.every(({ good }) => good);
  const whole = bodyOf(accepted, assessments.values().map(explained));
  if (whole !== undefined) return json(200, whole);

  const share = Math.floor(mostAnswerBytes / assessments.length) - restOfEntry;
  const shorter = assessments.values().map((assessment) => shortened(assessment, share));
  const short = bodyOf(accepted, shorter);
  if (short === undefined)
    throw new RefusalError({ kind: "tooLarge", limit: "about 5 MiB with all that is derived" });
  return json(200, short);
}
