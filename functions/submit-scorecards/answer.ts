import type { CardAnswer } from "../../core/cards/submit.ts";
import { fitsResponse, type HttpResponse, json } from "../http/response.ts";

function warningsHeader(answers: readonly CardAnswer[]): Record<string, string> {
  const warnings = answers.reduce((sum, card) => sum + (card.valid ? card.content.warnings().length : 0), 0);
  return { "Scorecard-Warnings": String(warnings) };
}

/** A header has room for no more; the cards' states have them all. */
const maxCorrectionsTold = 50;

/** A list of RFC 9651: the index of each card that corrects another content, with that one's version and what changed. */
function correctionsHeader(answers: readonly CardAnswer[]): Record<string, string> {
  const corrections = answers.flatMap((answer, index) => {
    const { corrects } = answer.valid ? answer : {};
    return corrects === undefined
      ? []
      : [`${index};version=${corrects.version};changed="${corrects.changed.join(" ")}"`];
  });
  if (corrections.length === 0) return {};
  return { "Scorecard-Corrections": corrections.slice(0, maxCorrectionsTold).join(", ") };
}

/** The preferences that were followed. @see RFC 7240, 3 */
const appliedHeader = (applied: readonly string[]): Record<string, string> =>
  applied.length === 0 ? {} : { "Preference-Applied": applied.join(", ") };

const anyCorrection = (allowsAnyCorrection: boolean) => (allowsAnyCorrection ? ["correction=any"] : []);

/** 201 with the array in order, each card with its ID and every derived field. */
export function accepted(answers: readonly CardAnswer[], allowsAnyCorrection = false): HttpResponse {
  const cards = answers.flatMap((card) => (card.valid ? [card.content.text()] : []));
  return json(201, `[${cards.join(",")}]`, {
    ...warningsHeader(answers),
    ...correctionsHeader(answers),
    ...appliedHeader(anyCorrection(allowsAnyCorrection)),
  });
}

/** 207 with one entry a card, in order. */
export function acceptedInPart(answers: readonly CardAnswer[], allowsAnyCorrection = false): HttpResponse {
  const entries = answers.map((answer, index) => {
    const { valid, externalId } = answer;
    if (!valid) return JSON.stringify({ index, externalId, status: 422, errors: answer.faults });
    const { contentHash, content, corrects } = answer;
    const [card, warnings] = [content.text(), JSON.stringify(content.warnings())];
    return `${JSON.stringify({ index, externalId, status: 201, contentHash, corrects }).slice(0, -1)},"card":${card},"warnings":${warnings}}`;
  });
  return json(207, `[${entries.join(",")}]`, {
    ...warningsHeader(answers),
    ...correctionsHeader(answers),
    ...appliedHeader(["handling=lenient", ...anyCorrection(allowsAnyCorrection)]),
  });
}

/** Whether a response can carry these answers, accepted whole or in part. */
export const fits = (answers: readonly CardAnswer[]) => fitsResponse(answers.flatMap(responseJson));

/** The JSON of a card in a response. */
function responseJson({ externalId, ...answer }: CardAnswer): string[] {
  if (!answer.valid) return [JSON.stringify({ externalId, errors: answer.faults })];
  const { contentHash, content } = answer;
  return [content.text(), JSON.stringify({ externalId, contentHash, warnings: content.warnings() })];
}
