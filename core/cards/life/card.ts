import type { ApiSet } from "../../accounts/account.ts";
import type { Finding } from "../../golf/findings.ts";
import { type MemberWarningCode, memberWarning, memberWarningCodes } from "../../golf/member-warnings.ts";
import { doubtInWords, type Likeness, type RoundDoubt, roundDoubts } from "../../golf/same-round.ts";
import type { CardContent, CardRound } from "./card-content.ts";
import { type CardState, isFinal, isOpen, State } from "./states.ts";

/** Identifies a card: the vendor and the vendor's own identifier. */
export interface CardKey {
  readonly apiSet: ApiSet;
  readonly externalId: string;
}

/** Why a card was not delivered, without personal data. */
export interface DeliveryFailure {
  /** `before`: the exchange has received nothing; `during`: it may have taken the cards; `after`: it has answered. */
  readonly phase: "before" | "during" | "after";
  /** HTTP status of the exchange, if it answered. */
  readonly status?: number;
  readonly message: string;
  /** Set if the answer names the card and refuses it: only the exchange itself can have said that. */
  readonly isNamed?: true;
}

/** What the exchange said to a post of a card: that it has it, or not; `unknown`: it may have it; or nothing was sent. */
export type PostAnswer = "yes" | "no" | "unknown" | "neverSent";

/** Posts of one version that ended alike, one after the other. */
export interface PostFact {
  readonly version: number;
  /** When the first and the last ended; milliseconds since 1970, UTC; 0 if that was not recorded. */
  readonly from: number;
  readonly to: number;
  readonly posts: number;
  readonly answer: PostAnswer;
  /** A `yes` has one if a 409 said it: the exchange has the card, but perhaps in an earlier content. */
  readonly failure?: DeliveryFailure;
}

/** How an earlier version of a card ended. */
export interface EarlierOutcome {
  readonly version: number;
  readonly state: CardState;
  readonly at: number;
}

/** In place of the hash of a content that a person was erased from: a hash could be compared with a guess. */
export const erasedHash = "erased";

/** What the player's record at the union told of a delivered card. */
export interface RecordResult {
  /** When the record was read. */
  readonly at: number;
  /** Whether the round is in it. */
  readonly isRecorded: boolean;
  /** The union's Score Differential times 10,000; absent if it calculated none. */
  readonly differential?: number;
  /** Set if the record of the player whom the card had before has the round, too. */
  readonly isTwice?: true;
  /** Why the round is not in it, if that is known: no such player, or a round at the card's StartTime with other totals. */
  readonly absence?: "nobody" | "otherTotals";
}

/**
 * Whether a card was delivered before midnight of the day on which its round was played. The union's Playing Conditions
 * Calculation of a day only has cards that are there by then.
 *
 * @see Rules of Handicapping, 4.3 and 5.6
 */
export type Arrival = "onDayOfPlay" | "late";

/** A content that a card had before it was corrected. */
export interface EarlierContent {
  /** The first version with it. */
  readonly since: number;
  readonly hash: string;
}

/** What a correction can change, in the order in which it is told. */
export const correctionParts = ["player", "day", "course", "tee", "strokes", "handicap", "other"] as const;

/** A part of a card that a correction changes. */
export type CorrectionPart = (typeof correctionParts)[number];

/** What a content changes of the one that was stored before it. */
export interface Correction {
  /** The version that it corrects. */
  readonly version: number;
  readonly changed: readonly CorrectionPart[];
}

/** A card as the table stores it, in one item. */
export interface StoredCard extends CardKey {
  /** 1, 2, …: counts contents, withdrawals, and how often the given-up or rejected card was resent. */
  readonly version: number;
  readonly state: CardState;
  /** When the state was recorded. */
  readonly since: number;
  /** When this version was accepted: it is given up two days later. */
  readonly acceptedAt: number;
  /** When this version was last claimed by a run, or woken up again on demand: wake-ups made before are void. */
  readonly wokenAt?: number | undefined;
  /** The vendor's request that submitted this version. */
  readonly requestId: string;
  /** Hash of the card as the vendor sent it, or `erasedHash`. */
  readonly contentHash: string;
  /** Keyed digest of that hash, if a person was erased from the content. */
  readonly erasedContent?: string | undefined;
  /** The first version with this content, if that was sent on again since. */
  readonly contentSince?: number | undefined;
  /** When that version was accepted; see `contentAcceptedAt`. */
  readonly contentAt?: number | undefined;
  /** The contents before, the latest last, ten at most. */
  readonly earlierContents?: readonly EarlierContent[] | undefined;
  readonly content: CardContent;
  /** What this content changed of the one before; absent if there was none. */
  readonly corrects?: Correction | undefined;
  /** The round that the exchange got, or may have got, of the player whom a correction replaced. */
  readonly formerRound?: CardRound | undefined;
  /** Whether a post of an earlier version may still be under way: this one waits until none can be. */
  readonly mustWait: boolean;
  /** Posts of this version that were recorded. */
  readonly attempts: number;
  /** How sure it is that the card itself is at fault, if it is suspected; see `judge`. It is posted alone then. */
  readonly suspicion?: number | undefined;
  /** The latest version that the exchange has, by `posts`; 0 for none. */
  readonly atExchange: number;
  /** The latest version that the exchange may have, because a post of it got no clear answer; 0 for none. It follows from `posts`. */
  readonly maybeAtExchange: number;
  /** What is known of the card's posts, the latest last; see `postsOf`. */
  readonly posts?: readonly PostFact[] | undefined;
  /** The latest version whose second post has been answered. Only a correction that had to wait has one. */
  readonly reposted?: number | undefined;
  /** Set if the card is suspected, claimed by a run, or to be posted once more: it is not posted before this time. */
  readonly nextAttemptAt?: number | undefined;
  readonly failure?: DeliveryFailure | undefined;
  /** Set if this version was delivered: whether that was on the day of play. */
  readonly arrival?: Arrival | undefined;
  /** Set if the union, asked after the delivery of this version, did not know the player. */
  readonly playerUnknown?: boolean | undefined;
  /** What else was found about the player, the marker or the round after the delivery of this version. */
  readonly laterWarnings?: readonly LaterWarning[] | undefined;
  /** Whether this version is in the player's record; absent while that is not known. */
  readonly record?: RecordResult | undefined;
  /** The latest last, ten at most. */
  readonly earlier: readonly EarlierOutcome[];
  /** The posts that failed, as items of an older form have them; `posts` takes its place. */
  readonly failed?: readonly Omit<PostFact, "answer">[] | undefined;
}

/** Whether a card is posted alone, at intervals of its own, since it may be at fault. */
export const isSuspected = ({ state, suspicion }: Pick<StoredCard, "state" | "suspicion">): boolean =>
  isOpen(state) && suspicion !== undefined;

type ExchangeNumbers = Pick<StoredCard, "state" | "atExchange" | "maybeAtExchange">;

/** When a card's content was accepted: it may have been sent on again since, as a version of its own. Milliseconds since 1970, UTC. */
export const contentAcceptedAt = ({ contentAt, acceptedAt }: StoredCard): number => contentAt ?? acceptedAt;

/** Whether a card is not delivered, and the exchange has it all the same, or may have it, perhaps in an earlier content. */
export const isMaybeDelivered = ({ state, atExchange, maybeAtExchange }: ExchangeNumbers): boolean =>
  state !== State.delivered && (atExchange > 0 || maybeAtExchange > 0);

/** Whether a card was withdrawn, and a post of it that nobody knew of then has reached the exchange, or may have. */
export const isMissedByWithdrawal = (card: ExchangeNumbers): boolean =>
  card.state === State.withdrawn && isMaybeDelivered(card);

/** A change of a card by compare-and-set. */
export interface CardChange extends CardKey {
  /** What the writer has read; without it the card must not exist yet. */
  readonly expects?: ExpectedCard;
  /** Fields that are undefined are removed; those that are left out stay. */
  readonly set: Partial<Omit<StoredCard, "apiSet" | "externalId">>;
}

/** The values of a card that must not have changed since it was read. */
export type ExpectedCard = Pick<StoredCard, "version"> & { readonly states: readonly CardState[] } & Partial<
    Pick<StoredCard, "since" | "content" | "atExchange" | "maybeAtExchange" | "posts" | "nextAttemptAt">
  >;

/** That a card has not been changed since it was read, as far as that bears on its delivery. */
export const asRead = ({ version, state, atExchange, maybeAtExchange }: StoredCard) => ({
  version,
  states: [state],
  atExchange,
  maybeAtExchange,
});

/** What a delivered card has to be still. An erasure keeps the version, so the content is compared: nothing is noted of an erased person. */
export const deliveredAsRead = ({ version, content }: StoredCard): ExpectedCard => ({
  version,
  states: [State.delivered],
  content,
});

const earlierKept = 10;

/** The earlier outcomes of a card's next version. */
export function earlierOutcomes({ version, state, since, earlier }: StoredCard): readonly EarlierOutcome[] {
  return isFinal(state) ? [...earlier, { version, state, at: since }].slice(-earlierKept) : earlier;
}

/** The codes of the warnings that can be found after a card's delivery; `not_recorded` apart, which is an event of its own. */
export const laterCodes = [...memberWarningCodes, ...roundDoubts, "recorded_twice"] as const;

/** The code of such a warning. */
export type LaterCode = (typeof laterCodes)[number];

/** A warning that was found after a card's delivery, as it is stored: without a value of a person. */
export type LaterWarning =
  /** `asOf`: the day of the union's answer, if it was remembered. */
  | { readonly code: Exclude<MemberWarningCode, "player_unknown">; readonly asOf?: string }
  /** `other`: the ExternalID of the vendor's own card that it is about; left out if that is another vendor's. */
  | { readonly code: RoundDoubt; readonly other?: string; readonly likeness?: Likeness };

const isRoundDoubt = (code: LaterWarning["code"]): code is RoundDoubt =>
  roundDoubts.some((doubt) => doubt === code);

/** The finding of a stored warning. */
export function laterFinding(externalId: string, warning: LaterWarning): Finding {
  const { code } = warning;
  if (!isRoundDoubt(code)) return memberWarning(0, externalId, { ...warning, code });
  const other = "other" in warning ? `Your card ${warning.other}` : "A card of another vendor or club";
  const likeness = "likeness" in warning ? warning.likeness : undefined;
  const detail = doubtInWords(code, other, likeness);
  return { index: 0, externalId, pointer: "/Round/StartTime", code, detail };
}
