import type { CardAnswer } from "../../core/submission/submit.ts";
import { type Answer, json } from "../vendor-api.ts";

function warningsHeader(answers: readonly CardAnswer[]): Record<string, string> {
  const warnings = answers.reduce((sum, answer) => sum + (answer.good ? answer.warnings.length : 0), 0);
  return { "Scorecard-Warnings": String(warnings) };
}

/** 201: the array echoed in order, each card with its ID and every derived field. */
export function accepted(answers: readonly CardAnswer[]): Answer {
  const cards = answers.flatMap((answer) => (answer.good ? [answer.card] : []));
  return json(201, cards, warningsHeader(answers));
}

/** 207: one entry a card, in order. */
export function acceptedInPart(answers: readonly CardAnswer[]): Answer {
  const entries = answers.map((answer, index) => {
    const { good, externalId } = answer;
    return good
      ? { index, externalId, status: 201, card: answer.card, warnings: answer.warnings }
      : { index, externalId, status: 422, errors: answer.faults };
  });
  return json(207, entries, { ...warningsHeader(answers), "Preference-Applied": "handling=lenient" });
}
