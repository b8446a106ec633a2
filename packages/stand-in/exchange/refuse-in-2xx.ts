import * as z from "zod";

/** How a 2xx response can refuse a card. */
export const refusalIn2xxSchema = z.enum([
  "rejectedList",
  "status",
  "errors",
  "multiStatus",
  "otherId",
  "otherContent",
  "message",
]);

/** @see refusalIn2xxSchema */
export type RefusalIn2xx = z.infer<typeof refusalIn2xxSchema>;

/** A posted card, and how it is refused; undefined if it is accepted. */
export interface AnsweredCard {
  readonly card: unknown;
  readonly refusal: RefusalIn2xx | undefined;
}

const reason = "The scorecard cannot be processed.";

function elementFor({ card, refusal }: AnsweredCard): unknown {
  const fields = Object(card) as Readonly<Record<string, unknown>>;
  if (refusal === "status") return { ...fields, Status: 422 };
  if (refusal === "errors") return { ...fields, Errors: [reason] };
  if (refusal === "otherId") return { ...fields, ID: "00000000-0000-4000-8000-000000000000" };
  if (refusal === "otherContent") return { ...fields, Comment: "The comment of another card." };
  if (refusal === "message") return { Message: "Database is read-only", ExternalID: fields.ExternalID };
  return card;
}

/**
 * Builds a 2xx response that refuses some of the cards.
 *
 * With `multiStatus` every element stands beside its status, and with `rejectedList` the response is an object of two lists. Other
 * refusals change the card's element only.
 */
export function refuseIn2xx(cards: readonly AnsweredCard[]): {
  readonly status: number;
  readonly body: string;
} {
  const isMultiStatus = cards.some(({ refusal }) => refusal === "multiStatus");
  const toElement = (answered: AnsweredCard) => {
    const element = elementFor(answered);
    if (!isMultiStatus) return element;
    return answered.refusal === "multiStatus"
      ? { Status: 422, Message: reason, Scorecard: element }
      : { Status: 201, Scorecard: element };
  };
  const isRejected = ({ refusal }: AnsweredCard) => refusal === "rejectedList";
  const accepted = cards.filter((card) => !isRejected(card)).map(toElement);
  const rejected = cards.filter(isRejected).map(toElement);
  return {
    status: isMultiStatus ? 207 : 200,
    body: JSON.stringify(rejected.length > 0 ? { Accepted: accepted, Rejected: rejected } : accepted),
  };
}
