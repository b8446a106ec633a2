import type { CardOrigin } from "../delivery/message.ts";
import type { Finding } from "../scorecard/finding.ts";
import type { CardHistory, StoredCard } from "../store/scorecard-table.ts";
import { type AcceptedCard, type Parcel, parcelsOf } from "./parcels.ts";
import type { GoodCard, PreparedCard, RefusedCard } from "./prepare-card.ts";
import { correctionDelay, type Plan, planCard } from "./revision.ts";

/** What became of one card of a submission. */
export type CardAnswer =
  | {
      readonly good: true;
      readonly externalId: string;
      /** JSON of the card, with every derived field. */
      readonly card: string;
      readonly warnings: readonly Finding[];
    }
  | RefusedCard;

/** The JSON that an answer has of a card. */
export const textsOf = ({ externalId, ...answer }: CardAnswer): string[] =>
  answer.good
    ? [answer.card, JSON.stringify({ externalId, warnings: answer.warnings })]
    : [JSON.stringify({ externalId, errors: answer.faults })];

const answerOf = ({ externalId, content }: GoodCard | StoredCard): CardAnswer => ({
  good: true,
  externalId,
  card: content.text(),
  warnings: content.warnings(),
});

/** The submission that brought cards. */
export interface Submission extends Omit<CardOrigin, "parcel"> {
  /** How long a correction stays out of sight. */
  readonly correctionDelaySeconds: number;
}

/** A card that says something new, as it is sent and stored. */
function acceptedCard(
  { externalId, contentHash, content }: GoodCard,
  plan: Exclude<Plan, { kind: "repeat" }>,
  history: CardHistory | undefined,
  parcel: Parcel | undefined,
  { correctionDelaySeconds, ...origin }: Submission,
): AcceptedCard {
  const { apiSet, acceptedAt } = origin;
  const { revision } = plan;
  const isCorrection = plan.kind === "correction";
  const known = history?.card;
  const first = known === undefined ? parcel && { id: parcel.id, revision } : known.parcel;
  return {
    outgoing: {
      queued: {
        ...origin,
        externalId,
        revision,
        corrects: isCorrection ? plan.corrects : undefined,
        card: content.text(),
      },
      delaySeconds: isCorrection ? correctionDelay(history, acceptedAt, correctionDelaySeconds) : 0,
    },
    record: { apiSet, externalId, revision, contentHash, acceptedAt, content, parcel: first },
    parcel: known === undefined ? parcel : undefined,
  };
}

/**
 * Decides by what is stored what becomes of a submission's cards. Good ones are sent on and stored, unless they say what
 * is stored already: then they are answered with that.
 *
 * @param stored what is stored of them, by ExternalID
 * @returns an answer a card, in order, and the cards that are to be sent and stored
 */
export function acceptCards(
  prepared: readonly PreparedCard[],
  stored: ReadonlyMap<string, CardHistory<StoredCard>>,
  submission: Submission,
): { readonly answers: CardAnswer[]; readonly accepted: AcceptedCard[] } {
  const good = prepared.filter((judged) => judged.good);
  const parcels = parcelsOf(good.map(({ contentHash }) => contentHash));
  const parcelOf = new Map(good.map((card, place) => [card, parcels[place]]));
  const accepted: AcceptedCard[] = [];
  const answers = prepared.map((judged) => {
    if (!judged.good) return judged;
    const history = stored.get(judged.externalId);
    const plan = planCard(judged.contentHash, history);
    if (plan.kind === "repeat") return answerOf(plan.stored);
    accepted.push(acceptedCard(judged, plan, history, parcelOf.get(judged), submission));
    return answerOf(judged);
  });
  return { answers, accepted };
}
