import { type CardChange, erasedHash, isFinal, type StoredCard } from "./card.ts";
import { contentOf } from "./card-content.ts";
import { repostsUntil } from "./timing.ts";

/** Whose data to find: by either identifier, or both. */
export interface Person {
  readonly unionId?: string;
  readonly lifeTimeId?: string;
}

/** What a person is on a card. */
export type PersonRole = "player" | "marker";

/** The parts of a card that name persons. */
interface PersonalCard {
  readonly ID?: unknown;
  readonly Player?: { readonly UnionID?: unknown; readonly LifeTimeID?: unknown };
  readonly Marker?: { readonly UnionID?: unknown; readonly LifeTimeID?: unknown };
}

const cardIn = ({ content }: StoredCard) => JSON.parse(content.text()) as PersonalCard;

/** What a person is on a card; undefined if the card does not name the person. */
export function roleOn(card: StoredCard, { unionId, lifeTimeId }: Person): PersonRole | undefined {
  const { Player, Marker } = cardIn(card);
  const isPerson = (named: PersonalCard["Player"]) =>
    (unionId !== undefined && named?.UnionID === unionId) ||
    (lifeTimeId !== undefined && named?.LifeTimeID === lifeTimeId);
  if (isPerson(Player)) return "player";
  return isPerson(Marker) ? "marker" : undefined;
}

/**
 * Whether a card's content may be erased: it is final, and no run posts it any more. A correction is posted once more
 * for an hour after its delivery.
 */
export const isErasable = ({ state, since }: StoredCard, now: number): boolean =>
  isFinal(state) && now - since > 2 * repostsUntil;

/**
 * The change that erases a person from a card. Its outcome stays: state, times, attempts, and the ID at the union. Of a
 * player's card nothing else stays; a marker is taken off the card. The hash of the content goes too, since it could be
 * compared with a guess, so the same card sent again counts as a correction.
 */
export function erasure(card: StoredCard, role: PersonRole): CardChange {
  const { apiSet, externalId, version, state, since } = card;
  const { Marker: _marker, ...rest } = cardIn(card);
  const kept = role === "marker" ? { ...rest, Marker: {} } : { ID: rest.ID };
  return {
    apiSet,
    externalId,
    expects: { version, states: [state], since },
    set: {
      content: contentOf(kept),
      contentHash: erasedHash,
      laterWarnings: undefined,
      ...(role === "player" && { record: undefined }),
    },
  };
}
