import type { CardAnswer } from "../../core/cards/submit.ts";
import { fitsResponse, type HttpResponse, json } from "../http/response.ts";

function warningsHeader(answers: readonly CardAnswer[]): Record<string, string> {
  const warnings = answers.reduce((sum, card) => sum + (card.valid ? card.content.warnings().length : 0), 0);
  return { "Scorecard-Warnings": String(warnings) };
}

/** 201 with the array in order, each card with its ID and every derived field. */
export function accepted(answers: readonly CardAnswer[]): HttpResponse {
  const cards = answers.flatMap((card) => (card.valid ? [card.content.text()] : []));
  return json(201, `[${cards.join(",")}]`, warningsHeader(answers));
}

/** 207 with one entry a card, in order. */
export function acceptedInPart(answers: readonly CardAnswer[]): HttpResponse {
  const entries = answers.map((answer, index) => {
    const { valid, externalId } = answer;
    if (!valid) return JSON.stringify({ index, externalId, status: 422, errors: answer.faults });
    const { contentHash, content } = answer;
    const [card, warnings] = [content.text(), JSON.stringify(content.warnings())];
    return `${JSON.stringify({ index, externalId, status: 201, contentHash }).slice(0, -1)},"card":${card},"warnings":${warnings}}`;
  });
  return json(207, `[${entries.join(",")}]`, {
    ...warningsHeader(answers),
    "Preference-Applied": "handling=lenient",
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
