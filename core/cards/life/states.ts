/** The states of a card by name. This is the only file that writes a state's name as a text. */
export const State = {
  /** Accepted, not posted yet. */
  queued: "queued",
  /** Posted without success, to be retried. */
  retrying: "retrying",
  /** The exchange echoed it. */
  delivered: "delivered",
  /** The exchange refused it. */
  rejected: "rejected",
  /** The vendor asked to withdraw it, and whether the exchange has it is not known yet. */
  withdrawing: "withdrawing",
  /** Withdrawn by the vendor before it was delivered. */
  withdrawn: "withdrawn",
  /** Given up after two days of attempts; can be resent. */
  undelivered: "undelivered",
} as const;

/** The state of a card's latest version. */
export type CardState = (typeof State)[keyof typeof State];

/** What holds for the cards in a state; the functions below say what each means. */
interface StateFacts {
  readonly isOpen?: true;
  readonly isFinal?: true;
  readonly isWithdrawal?: true;
  readonly isWithdrawable?: true;
  readonly isResendable?: true;
  /** Which of them the index by state has: all, the suspected ones, those that the exchange may have, or none. */
  readonly listed: "all" | "suspected" | "maybeDelivered" | "none";
  /** Which changes to the state the stream's followers get: all, or those that change whether the card is suspected. */
  readonly followed: "all" | "suspicion";
}

/** One row a state. */
const facts = {
  queued: { isOpen: true, isWithdrawable: true, listed: "none", followed: "all" },
  // An outage changes all waiting cards to it, again and again: nobody counts that.
  retrying: { isOpen: true, isWithdrawable: true, listed: "suspected", followed: "suspicion" },
  delivered: { isFinal: true, listed: "none", followed: "all" },
  rejected: { isFinal: true, isResendable: true, listed: "all", followed: "all" },
  withdrawing: { isWithdrawal: true, isWithdrawable: true, listed: "none", followed: "all" },
  withdrawn: { isFinal: true, isWithdrawal: true, listed: "maybeDelivered", followed: "all" },
  undelivered: { isFinal: true, isWithdrawable: true, isResendable: true, listed: "all", followed: "all" },
} as const satisfies Readonly<Record<CardState, StateFacts>>;
const factsOf = (state: CardState): StateFacts => facts[state];

/** A state that cards can be listed by: one that needs attention. */
export type ListedState = {
  [S in CardState]: (typeof facts)[S]["listed"] extends "none" ? never : S;
}[CardState];

/** A state whose cards may be sent on once more. */
export type ResendableState = {
  [S in CardState]: (typeof facts)[S] extends { readonly isResendable: true } ? S : never;
}[CardState];

/** All states, in the order of a card's life. */
export const cardStates = Object.values(State);

/** The states for which a fact has this value. */
export const statesThat = <Fact extends keyof StateFacts>(
  fact: Fact,
  value: StateFacts[Fact],
): readonly CardState[] => cardStates.filter((state) => factsOf(state)[fact] === value);

/** Whether a card in this state is to be posted. */
export const isOpen = (state: CardState): boolean => factsOf(state).isOpen ?? false;

/** Whether a card in this state has its outcome. */
export const isFinal = (state: CardState): boolean => factsOf(state).isFinal ?? false;

/** Whether a card in this state has been withdrawn, or is being withdrawn: its version is that of the withdrawal. */
export const isWithdrawal = (state: CardState): boolean => factsOf(state).isWithdrawal ?? false;

/** Whether a card in this state can be withdrawn, unless the exchange may have it. */
export const isWithdrawable = (state: CardState): boolean => factsOf(state).isWithdrawable ?? false;

/** Whether the same content is posted once more if it is asked for: the card was given up, or its rejection may be wrong. */
export const isResendable = (state: CardState): state is ResendableState =>
  factsOf(state).isResendable ?? false;

/** The states whose cards may be sent on once more. */
export const resendableStates = cardStates.filter(isResendable);

/** Which cards in this state the index by state has. */
export const listedIn = (state: CardState): StateFacts["listed"] => factsOf(state).listed;

/** The states that cards can be listed by. */
export const listedStates = cardStates.filter((state): state is ListedState => listedIn(state) !== "none");
