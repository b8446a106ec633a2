import type { EarlierOutcome } from "./card.ts";
import type { LaterCode } from "./later-warnings.ts";
import { type CardState, State } from "./states.ts";

interface Outcome {
  /** The outcome that a late answer turned into this one. */
  readonly replaces?: Pick<EarlierOutcome, "state" | "at"> | undefined;
}

/** What each kind of event says besides its time. */
interface EventFacts {
  /** The card is new. */
  readonly accepted: object;
  /** The vendor sent other content. */
  readonly corrected: object;
  /** The same content was sent again after it was given up, rejected or withdrawn. */
  readonly resent: object;
  /** The vendor asked to withdraw the card. */
  readonly withdrawalBegun: object;
  /** The exchange may have the card, so delivery resumed. */
  readonly withdrawalFailed: object;
  /** A post failed, and the card is retried. */
  readonly failed: object;
  /** The card failed alone, beside others that went through: it may be at fault. */
  readonly suspected: object;
  /** The card is no longer suspected, and is still to be posted. */
  readonly cleared: object;
  readonly delivered: Outcome;
  readonly rejected: Outcome;
  readonly undelivered: Outcome;
  readonly withdrawn: Outcome;
  /** A post of the withdrawn card has reached the exchange, or may have. */
  readonly maybeDelivered: object;
  /** Something was found about the player, the marker or the round. `isFirst`: nothing had been found before. */
  readonly warned: { readonly codes: readonly LaterCode[]; readonly isFirst: boolean };
  /** The round is in the player's record. `before`: when a check did not find it there, milliseconds since 1970, UTC. */
  readonly recorded: { readonly before?: number | undefined };
  /** The round is not in the player's record. `before`: when a check found it there. */
  readonly notRecorded: { readonly before?: number | undefined };
  /** The union calculated another Score Differential for the recorded round, or took it off the record of a player before. */
  readonly rerated: object;
  /** A person was erased from the card. */
  readonly erased: object;
}

/** A kind of event. */
export type EventKind = keyof EventFacts;

/** A kind of event that gives a card its outcome, and has the name of the card's state from then on. */
export type OutcomeKind = Extract<EventKind, CardState>;

/** The kinds that give a card its outcome. */
export const outcomeKinds = [
  State.delivered,
  State.rejected,
  State.undelivered,
  State.withdrawn,
] as const satisfies readonly OutcomeKind[];

/** Something that happened to a card. `at` is in milliseconds since 1970, UTC. */
export type CardEvent<Kind extends EventKind = EventKind> = {
  readonly [K in Kind]: { readonly kind: K; readonly at: number } & EventFacts[K];
}[Kind];

/** What a view makes of the kinds of events that it names; of all others nothing. */
export type ViewByKind<Result, Context = void> = {
  readonly [K in EventKind]?: (event: CardEvent<K>, context: Context) => readonly Result[];
};

/** What a view makes of one event. */
export function viewOf<Result, Context>(
  view: ViewByKind<Result, Context>,
  event: CardEvent,
  context: Context,
): readonly Result[] {
  const make = view[event.kind] as ((event: CardEvent, context: Context) => readonly Result[]) | undefined;
  return make?.(event, context) ?? [];
}
