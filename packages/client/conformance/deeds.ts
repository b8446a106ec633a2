import { CardState } from "../card-states.ts";
import texts from "./deeds.json" with { type: "json" };
import { had, isDelivered, type SeenByApi, type SeenCard, type SeenEndpoint } from "./seen.ts";

/** Finds when an app did something, ISO 8601, UTC; undefined if the API has not seen it. */
type FindTime = (seen: SeenByApi) => string | undefined;
type Test = (card: SeenCard, seen: SeenByApi) => boolean;

/** A deed that one card shows. */
const byCard =
  (test: Test): FindTime =>
  (seen) =>
    seen.cards.find((card) => test(card, seen))?.status.since;

/** A deed that one card shows which is delivered. */
const byDelivered = (test: Test) => byCard((card, seen) => isDelivered(card) && test(card, seen));

const bySandbox = (outcome: string, test: Test) =>
  byDelivered((card, seen) => card.status.externalId.startsWith(`sandbox:${outcome}`) && test(card, seen));
const hasStrokes = (card: SeenCard, strokes: number) => card.card?.Result.Strokes.includes(strokes) ?? false;
const hasChanged = ({ status: { corrects } }: SeenCard, part: "player" | "strokes") =>
  corrects?.changed.includes(part) ?? false;

/** Cards of a tournament in one array have been accepted at one time. */
const minArray = 10;

function isInArray({ card, status }: SeenCard, { cards }: SeenByApi): boolean {
  const { TournamentName: name, RoundType } = card?.Round ?? {};
  const together = cards.filter(
    (other) => other.card?.Round.TournamentName === name && other.status.acceptedAt === status.acceptedAt,
  );
  return Boolean(name) && RoundType === 2 && together.length >= minArray;
}

/** The player and the start of a card's round. */
const roundOf = ({ card }: SeenCard) => card && `${card.Player.UnionID} ${card.Round.StartTime}`;

/** Whether no other card has the round of this one under another ExternalID. */
const isOnce = (one: SeenCard, { cards }: SeenByApi): boolean =>
  one.card !== undefined && cards.filter((other) => roundOf(other) === roundOf(one)).length === 1;

const byEndpoint =
  (test: (endpoint: SeenEndpoint) => boolean): FindTime =>
  ({ at, endpoints }) =>
    endpoints.length > 0 && endpoints.every(test) ? at : undefined;

/** A deed that a post to an endpoint shows. */
const byAttempt =
  (test: (attempt: SeenEndpoint["attempts"][number], all: SeenEndpoint["attempts"]) => boolean) =>
  ({ endpoints }: SeenByApi) =>
    endpoints.flatMap(({ attempts }) => attempts.filter((attempt) => test(attempt, attempts)))[0]?.at;

const takes = (type: string) => byAttempt((attempt) => attempt.taken && attempt.type === type);

/** Events posted twice, by whether the endpoint took the first post. */
const again = (isFirstTaken: boolean) =>
  byAttempt(({ eventId, at, taken }, all) => {
    const earlier = all.filter((other) => other.eventId === eventId && other.at < at);
    return taken && earlier.some((other) => other.taken === isFirstTaken);
  });

function findCorrected({ cards, refusals }: SeenByApi): string | undefined {
  const accepted = new Map(cards.map(({ status }) => [status.externalId, status.acceptedAt]));
  const times = refusals.map(({ externalId = "", at }) => ({ at, acceptedAt: accepted.get(externalId) }));
  return times.find(({ at, acceptedAt }) => acceptedAt !== undefined && at < acceptedAt)?.acceptedAt;
}

const finders: { readonly [Id in keyof typeof texts]: FindTime } = {
  delivered: byDelivered(({ card }) => card?.Round.HolesPlayed === 18),
  "nine-holes": byDelivered(({ card }) => card?.Round.HolesPlayed === 9),
  abroad: byDelivered(({ card }) => card !== undefined && !card.Course.CourseID),
  "picked-up": byDelivered((card) => hasStrokes(card, 0)),
  "not-played": byDelivered((card) => hasStrokes(card, -1)),
  "plus-handicap": byDelivered(({ card }) => Number(card?.HCP) < 0),
  tournament: byCard(isInArray),
  "same-day": byDelivered(({ status }) => status.arrival === "onDayOfPlay"),
  late: byDelivered(({ status }) => status.arrival === "late"),
  "fault-corrected": findCorrected,
  "strokes-corrected": byDelivered((card) => hasChanged(card, "strokes")),
  "delivered-corrected": byDelivered((card) => had(card, CardState.delivered)),
  withdrawn: byCard(({ status }) => status.state === CardState.withdrawn),
  "busy-repeated": bySandbox("busy", () => true),
  "repeat-is-one": bySandbox("busy", (card, seen) => card.status.version === 1 && isOnce(card, seen)),
  "rejected-corrected": bySandbox(CardState.rejected, (card) => had(card, CardState.rejected)),
  "undelivered-sent-on": bySandbox(CardState.undelivered, (card) => had(card, CardState.undelivered)),
  "outage-waited-out": bySandbox("slow", ({ status }) => status.version === 1),
  "player-corrected": bySandbox("player-unknown", (card) => hasChanged(card, "player")),
  "not-recorded": takes("scorecard.not_recorded"),
  "outcomes-taken": takes("scorecard.rejected"),
  "signature-verified": byEndpoint(({ genuine }) => genuine.taken),
  "forgery-refused": byEndpoint(({ forged: { status = 0 } }) => status >= 400 && status < 500),
  "event-resent": again(true),
  "endpoint-recovered": again(false),
};

/** What an app must have done, in the order in which it is told: why it matters, and when the API saw it. */
export const deeds = Object.entries(finders).map(([id, findTime]) => {
  const [title = "", why = ""] = texts[id as keyof typeof texts];
  return { id, title, why, findTime };
});
