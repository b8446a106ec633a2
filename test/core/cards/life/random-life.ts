import fc from "fast-check";
import { erasedHash, laterCodes, type StoredCard } from "../../../../core/cards/life/card.ts";
import { type CardHappening, happenings } from "../../../../core/cards/life/happened.ts";
import { isOpen, isResendable, State } from "../../../../core/cards/life/states.ts";
import { hour } from "../../../durations.ts";
import { start, storedCard } from "../../memory/stored-card.ts";

/** What may happen to a card, and when, in milliseconds after what happened before. */
export type Step = readonly [happens: keyof typeof changes, after: number];

/** The fields of a card's next version. */
const nextVersion = ({ version }: StoredCard, at: number) =>
  ({
    version: version + 1,
    state: State.queued,
    acceptedAt: at,
    attempts: 0,
    suspicion: undefined,
    arrival: undefined,
    playerUnknown: undefined,
    laterWarnings: undefined,
    record: undefined,
  }) as const;

/** What each step changes; undefined if it is not possible. `chance` decides between ways in which it may go. */
const changes = {
  delivered: (card, _, chance) =>
    isOpen(card.state)
      ? { state: State.delivered, attempts: card.attempts + 1, arrival: arrivalBy(chance) }
      : undefined,
  rejected: ({ state }) => (isOpen(state) ? { state: State.rejected } : undefined),
  undelivered: ({ state }) => (isOpen(state) ? { state: State.undelivered } : undefined),
  failed: (card) => (isOpen(card.state) ? { state: State.retrying, attempts: card.attempts + 1 } : undefined),
  suspected: (card) =>
    isOpen(card.state)
      ? { state: State.retrying, attempts: card.attempts + 1, suspicion: (card.suspicion ?? 0) + 1 }
      : undefined,
  answeredLate: ({ state }, _, chance) =>
    state === State.rejected ? { state: State.delivered, arrival: arrivalBy(chance) } : undefined,
  warned: ({ state, since, laterWarnings, contentHash }, _, chance) => {
    const code = laterCodes[chance % laterCodes.length];
    if (state !== State.delivered || laterWarnings !== undefined || contentHash === erasedHash)
      return undefined;
    return code === undefined || code === "player_unknown" || code === "recorded_twice"
      ? { since, playerUnknown: true }
      : { since, laterWarnings: [{ code }] };
  },
  checked: ({ state, since, record, contentHash }, at, chance) =>
    state === State.delivered && record === undefined && contentHash !== erasedHash
      ? { since, record: { at, isRecorded: chance % 2 === 0, ...(chance % 4 === 0 && { isTwice: true }) } }
      : undefined,
  foundLater: ({ since, record }, at) =>
    record?.isRecorded === false ? { since, record: { at, isRecorded: true } } : undefined,
  rerated: ({ since, record }, at, chance) =>
    record?.isRecorded ? { since, record: { ...record, at, differential: chance } } : undefined,
  withdrawalBegun: ({ state, version }) =>
    isOpen(state) || state === State.undelivered
      ? { version: version + 1, state: State.withdrawing }
      : undefined,
  withdrawn: ({ state }) => (state === State.withdrawing ? { state: State.withdrawn } : undefined),
  withdrawnTooLate: (card, at, chance) => {
    if (card.state !== State.withdrawing) return undefined;
    return chance % 2 === 0 ? { state: State.delivered, arrival: arrivalBy(chance) } : nextVersion(card, at);
  },
  foundAfterWithdrawal: ({ state, version }) =>
    state === State.withdrawn ? { maybeAtExchange: version - 1 } : undefined,
  corrected: (card, at) => ({ ...nextVersion(card, at), contentHash: `content of ${card.version + 1}` }),
  resent: (card, at) =>
    isResendable(card.state) || card.state === State.withdrawn ? nextVersion(card, at) : undefined,
  erased: ({ since, contentHash }) =>
    contentHash === erasedHash
      ? undefined
      : { since, contentHash: erasedHash, laterWarnings: undefined, record: undefined },
} as const satisfies Record<
  string,
  (card: StoredCard, at: number, chance: number) => Partial<StoredCard> | undefined
>;

const arrivalBy = (chance: number) => (chance % 2 === 0 ? "onDayOfPlay" : "late");

/** The states of a card to which these steps happen, each if it is possible: the first is the accepted card. */
export function lifeOf(externalId: string, steps: readonly Step[]): StoredCard[] {
  const life = [storedCard(externalId)];
  let at = start;
  for (const [happens, after] of steps) {
    at += after;
    const card = life.at(-1);
    const change = card && changes[happens](card, at, after);
    if (change !== undefined) life.push({ ...card, since: at, ...change } as StoredCard);
  }
  return life;
}

/** Steps of a card's life at random. */
export const randomSteps: fc.Arbitrary<Step[]> = fc.array(
  fc.tuple(
    fc.constantFrom(...(Object.keys(changes) as (keyof typeof changes)[])),
    fc.integer({ min: 1, max: 2 * hour }),
  ),
  { maxLength: 12 },
);

/** The changes of a life, as the table's stream has them. */
export const happeningsOf = (life: readonly StoredCard[]): CardHappening[] =>
  happenings(life.map((card, index) => ({ card, before: life[index - 1], sequenceNumber: String(index) })));
