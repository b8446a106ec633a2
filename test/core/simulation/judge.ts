import { isFinal } from "../../../core/tracking/state.ts";
import type { Refusal, TakenCard } from "./simulated-exchange.ts";
import type { RecordedDelivery, SimulatedPipeline } from "./simulated-pipeline.ts";
import type { SentCard } from "./vendor-day.ts";

/** A post may rest on a look at what is stored that is so old. */
const lookMilliseconds = 4000;

/** Whether a card had its outcome, by what was recorded, when the run that posted it last looked, and ever since. */
function hadOutcome({ revision, postedAt }: TakenCard, recorded: readonly RecordedDelivery[]): boolean {
  const records = recorded.filter((record) => record.revision === revision && record.at <= postedAt);
  const lastLook = postedAt - lookMilliseconds;
  const standing = records.findLast(({ at }) => at < lastLook);
  const since = records.filter(({ at }) => at >= lastLook);
  return standing !== undefined && [standing, ...since].every(({ state }) => isFinal(state));
}

/** What does not hold of a card, of all that must. */
function violationsOf(
  { externalId, accepted, withdrawnAt, contradictions }: SentCard,
  state: string | undefined,
  taken: readonly TakenCard[],
  recorded: readonly RecordedDelivery[],
  refusal: Refusal,
): string[] {
  const versions = taken.map(({ card }) => accepted.lastIndexOf(card));
  const isTaken = versions.at(-1) === accepted.length - 1;
  const expected =
    withdrawnAt !== undefined ? "withdrawn" : refusal(externalId) !== undefined ? "rejected" : "delivered";
  const violations = {
    [`it is ${state}, not ${expected}`]: state !== expected,
    "it is said to be delivered, but its last content is not there": state === "delivered" && !isTaken,
    "the exchange took what was not answered 201": versions.includes(-1),
    [`older content came after newer: ${versions}`]: versions.some(
      (version, index) => version < (versions[index - 1] ?? 0),
    ),
    "it was posted after its withdrawal": taken.some(
      ({ postedAt }) => withdrawnAt !== undefined && postedAt > withdrawnAt,
    ),
    "it was posted again after its outcome was recorded": taken.some((one) => hadOutcome(one, recorded)),
  };
  const found = Object.entries(violations).flatMap(([words, isFound]) => (isFound ? [words] : []));
  return [...new Set([...found, ...contradictions])].map((words) => `${externalId}: ${words}`);
}

/**
 * Names what does not hold, of each card that was sent, of all that must; nothing where all is well.
 *
 * @param states what is told of each in the end, by ExternalID
 */
export function judge(
  sent: readonly SentCard[],
  states: ReadonlyMap<string, string>,
  pipeline: Pick<SimulatedPipeline, "taken" | "recorded">,
  refusal: Refusal,
): string[] {
  const taken = Map.groupBy(pipeline.taken, ({ externalId }) => externalId);
  const recorded = Map.groupBy(pipeline.recorded, ({ externalId }) => externalId);
  return sent.flatMap((card) => {
    const { externalId } = card;
    return violationsOf(
      card,
      states.get(externalId),
      taken.get(externalId) ?? [],
      recorded.get(externalId) ?? [],
      refusal,
    );
  });
}
