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

/** What holds for the cards in a state. */
interface StateFacts {
  /** They are to be posted. */
  readonly isOpen: boolean;
  /** They have their outcome. */
  readonly isFinal: boolean;
  /** Their version is that of the withdrawal, not of a content. */
  readonly isWithdrawal: boolean;
  /** They can be withdrawn, unless the exchange may have them. */
  readonly isWithdrawable: boolean;
  /** The same content is posted once more if somebody asks for it: the card was given up, or its rejection may be wrong. */
  readonly isResendable: boolean;
  /** Which of them the index by state has: all, the suspected ones, those that the exchange may have, or none. */
  readonly listed: "all" | "suspected" | "maybeDelivered" | "none";
  /** Which changes to the state the stream's followers get: all, or those that change whether the card is suspected. */
  readonly followed: "all" | "suspicion";
}

const waiting = {
  isOpen: true,
  isFinal: false,
  isWithdrawal: false,
  isWithdrawable: true,
  isResendable: false,
} as const;
const ended = {
  isOpen: false,
  isFinal: true,
  isWithdrawal: false,
  isWithdrawable: false,
  isResendable: false,
} as const;

/** One row a state. */
const facts = {
  queued: { ...waiting, listed: "none", followed: "all" },
  // An outage changes all waiting cards to it, again and again: nobody counts that.
  retrying: { ...waiting, listed: "suspected", followed: "suspicion" },
  delivered: { ...ended, listed: "none", followed: "all" },
  rejected: { ...ended, isResendable: true, listed: "all", followed: "all" },
  withdrawing: { ...waiting, isOpen: false, isWithdrawal: true, listed: "none", followed: "all" },
  withdrawn: { ...ended, isWithdrawal: true, listed: "maybeDelivered", followed: "all" },
  undelivered: { ...ended, isWithdrawable: true, isResendable: true, listed: "all", followed: "all" },
} as const satisfies Readonly<Record<CardState, StateFacts>>;

/** A state that cards can be listed by: one that needs attention. */
export type ListedState = {
  [S in CardState]: (typeof facts)[S]["listed"] extends "none" ? never : S;
}[CardState];

/** A state whose cards may be sent on once more. */
export type ResendableState = {
  [S in CardState]: (typeof facts)[S]["isResendable"] extends true ? S : never;
}[CardState];

/** All states, in the order of a card's life. */
export const cardStates = Object.values(State);

/** The states for which a fact has one of these values. */
export const statesThat = <Fact extends keyof StateFacts>(
  fact: Fact,
  ...values: readonly StateFacts[Fact][]
): readonly CardState[] =>
  cardStates.filter((state) => values.includes((facts[state] as StateFacts)[fact] as StateFacts[Fact]));

/** The states of cards that are to be posted. */
export const openStates = statesThat("isOpen", true);

const isListed = (state: CardState): state is ListedState => facts[state].listed !== "none";

/** The states of cards that have their outcome. */
export const finalStates = statesThat("isFinal", true);

/** The states that cards can be listed by. */
export const listedStates = cardStates.filter(isListed);

/** Whether a card in this state is to be posted. */
export const isOpen = (state: CardState): boolean => facts[state].isOpen;

/** Whether a card in this state has its outcome. */
export const isFinal = (state: CardState): boolean => facts[state].isFinal;

/** Whether a card in this state has been withdrawn, or is being withdrawn: its version is that of the withdrawal. */
export const isWithdrawal = (state: CardState): boolean => facts[state].isWithdrawal;

/** Whether a card in this state can be withdrawn, unless the exchange may have it. */
export const isWithdrawable = (state: CardState): boolean => facts[state].isWithdrawable;

/** Whether the same content is posted once more if it is asked for: the card was given up, or its rejection may be wrong. */
export const isResendable = (state: CardState): state is ResendableState => facts[state].isResendable;

/** The states whose cards may be sent on once more. */
export const resendableStates = cardStates.filter(isResendable);

/** Which cards in this state the index by state has. */
export const listedIn = (state: CardState): StateFacts["listed"] => facts[state].listed;
