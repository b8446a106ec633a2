import type { StoredCard } from "../../../core/cards/life/card.ts";
import type { CardState } from "../../../core/cards/life/states.ts";
import type { PostResult } from "../../../core/union/exchange.ts";
import type { VirtualTime } from "./virtual-time.ts";

/** A write of a card that was carried out. Times here are in milliseconds since 1970, by the one true clock. */
export interface CardWrite {
  readonly at: number;
  /** Name of the environment. */
  readonly by: string;
  readonly card: StoredCard;
}

/** What an environment last read of a card. */
export interface CardRead {
  readonly at: number;
  readonly card: StoredCard | undefined;
}

/** A post of a card. */
export interface CardPost {
  readonly by: string;
  readonly at: number;
  /** When the environment stops waiting for it, or is answered. */
  readonly until: number;
  /** What the environment had read of the card before. */
  readonly read: CardRead;
  /** JSON of the card. */
  readonly content: string;
  /** What came of it: nothing was sent, there was no answer, or one. */
  readonly phase: PostResult["phase"];
  /** The environment stood still between its last look at the clock and the post. */
  readonly isSentLate: boolean;
}

/** The exchange has taken a card. */
export interface TakenCard {
  readonly at: number;
  readonly post: CardPost;
}

/** A request about a card and its answer. */
export interface CardRequest {
  readonly kind: "submit" | "withdraw" | "deliverNow" | "redrive";
  /** What was sent, by a name of its own. */
  readonly content?: string | undefined;
  readonly from: number;
  /** When it was answered, or its caller stopped waiting; infinite while it is under way. */
  until: number;
  /** HTTP status; undefined if there was no answer. */
  status?: number | undefined;
  /** The card as it was answered. */
  answer?: string | undefined;
  /** When it last read the card. */
  lastReadAt?: number | undefined;
}

/** The state of a card as its vendor saw it. */
export interface Sighting {
  readonly state: CardState | "unknown";
  readonly from: number;
  readonly until: number;
}

/** An outcome that the vendor was told by webhook. */
export interface ToldOutcome {
  readonly at: number;
  readonly version: number;
  readonly state: CardState;
  /** It says that the exchange may have the card although it was withdrawn. */
  readonly maybeDelivered: boolean;
}

/** Everything that happened to a card. */
export interface CardHistory {
  readonly externalId: string;
  readonly writes: CardWrite[];
  /** By environment. */
  readonly lastReads: Map<string, CardRead>;
  readonly posts: CardPost[];
  readonly taken: TakenCard[];
  readonly requests: CardRequest[];
  readonly sightings: Sighting[];
  readonly told: ToldOutcome[];
  /** For people, in order: they are put into words only if somebody reads them. */
  readonly notes: { readonly milliseconds: number; readonly words: readonly unknown[] }[];
}

/** What happened to each card of a day. */
export interface History {
  of(externalId: string): CardHistory;
  readonly cards: ReadonlyMap<string, CardHistory>;
  /** Notes something for whoever reads the card's trace. */
  note(externalId: string, ...words: readonly unknown[]): void;
  /** What must not happen and concerns no single card. */
  readonly mistakes: string[];
}

/** All that happened to a card, a line each. */
export const traceOf = ({ notes }: CardHistory): string[] =>
  notes.map(
    ({ milliseconds, words }) => `${(milliseconds / 1000).toFixed(3).padStart(10)} ${words.join(" ")}`,
  );

/** A history in which nothing has happened yet. */
export function history(time: VirtualTime): History {
  const cards = new Map<string, CardHistory>();
  const start = time.now();
  function of(externalId: string): CardHistory {
    let card = cards.get(externalId);
    if (card === undefined) {
      card = {
        externalId,
        writes: [],
        lastReads: new Map(),
        posts: [],
        taken: [],
        requests: [],
        sightings: [],
        told: [],
        notes: [],
      };
      cards.set(externalId, card);
    }
    return card;
  }
  return {
    of,
    cards,
    note(externalId, ...words) {
      of(externalId).notes.push({ milliseconds: time.now() - start, words });
    },
    mistakes: [],
  };
}

/** What the vendor wrote into a card to tell its contents apart. */
export const contentName = (json: string) => /"Comment":"([^"]*)"/.exec(json)?.[1] ?? "";
