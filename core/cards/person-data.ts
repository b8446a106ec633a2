import { isLongNumber, parseExactly } from "../formats/exact-json.ts";
import { pointerStep } from "../formats/json-pointer.ts";
import { keyedDigest } from "../formats/keyed-digest.ts";
import type { NamesPerson } from "../formats/named-person.ts";
import { postsOf } from "./delivery/posts.ts";
import { type CardChange, type DeliveryFailure, erasedHash, type StoredCard } from "./life/card.ts";
import { contentOf } from "./life/card-content.ts";
import { isFinal } from "./life/states.ts";

/** What a person is on a card: its player, its marker, or somebody whom another text names. */
export type PersonRole = "player" | "marker" | "mentioned";

/** Where a card names a person. */
export interface PersonOnCard {
  readonly role: PersonRole;
  /** JSON pointers of the texts. @see RFC 6901 */
  readonly pointers: readonly string[];
  /** Whether the ExternalID does, which cannot be erased: it is the card's key. */
  readonly inExternalId: boolean;
  /** Whether the stored words of the exchange, a warning, or the round before a correction of the player do. */
  readonly inMessages: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const cardIn = ({ content }: StoredCard) => parseExactly(content.text()) as Fields;

/**
 * A copy without the texts, numbers and fields that name the person, however deep they are. An entry of a list becomes null, so that
 * others keep their places.
 *
 * @param found gets the JSON pointer of each
 */
function without(value: unknown, names: NamesPerson, found: string[] = [], pointer = ""): unknown {
  const text = typeof value === "number" || isLongNumber(value) ? JSON.stringify(value) : value;
  if (typeof text === "string") {
    if (!names(text)) return value;
    found.push(pointer);
    return undefined;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, entry]) => {
    const place = `${pointer}/${pointerStep(name)}`;
    if (!names(name)) return [name, without(entry, names, found, place)] as const;
    found.push(place);
    return [name, undefined] as const;
  });
  if (Array.isArray(value)) return entries.map(([, entry]) => entry ?? null);
  return Object.fromEntries(entries.filter(([, entry]) => entry !== undefined));
}

function pointersTo(value: unknown, names: NamesPerson): string[] {
  const found: string[] = [];
  without(value, names, found);
  return found;
}

/** Where a card names a person; undefined if it does not. */
export function personOn(card: StoredCard, names: NamesPerson): PersonOnCard | undefined {
  const pointers = pointersTo(cardIn(card), names);
  const inExternalId = names(card.externalId);
  const { failure, laterWarnings, formerRound } = card;
  const inMessages = [card.content.warnings(), failure, postsOf(card), laterWarnings, formerRound].some(
    (value) => pointersTo(value, names).length > 0,
  );
  if (pointers.length === 0 && !inExternalId && !inMessages) return undefined;
  const isIn = (part: string) => pointers.some((pointer) => pointer.startsWith(`/${part}/`));
  const role = isIn("Player") ? "player" : isIn("Marker") ? "marker" : "mentioned";
  return { role, pointers, inExternalId, inMessages };
}

/** No run that read a card before it got its outcome can post it after this time, in milliseconds. */
const lastPost = 2 * 60 * 60_000;

/** Whether a card's content may be erased: it is final, and no run posts it any more. */
export const isErasable = ({ state, since }: StoredCard, now: number): boolean =>
  isFinal(state) && now - since > lastPost;

/** Whether a card has something of the person that can be erased. */
export const hasErasable = ({ pointers, inMessages }: PersonOnCard): boolean =>
  inMessages || pointers.some((pointer) => pointer !== "/ExternalID");

/** The digest that stays of the content that a person is erased from. */
export const digestContent = (
  secret: string,
  { apiSet, externalId }: Pick<StoredCard, "apiSet" | "externalId">,
  contentHash: string,
): string => keyedDigest(secret, "erasedContent", apiSet, externalId, contentHash);

/**
 * The change that erases a person from a card. Its outcome stays: state, times, attempts, and the ID at the union. Of a
 * player's card nothing else stays; a marker is taken off the card, and from another card go the texts that name the person. The
 * hash of the content goes too, since it could be compared with a guess; a keyed digest of it stays, by which the same card is known
 * if it is sent again.
 */
export function erasure(
  card: StoredCard,
  { role }: Pick<PersonOnCard, "role">,
  names: NamesPerson,
  contentDigest?: string,
): CardChange {
  const { apiSet, externalId, version, state, since, content, contentHash } = card;
  const { ID, ExternalID, ...rest } = cardIn(card);
  const others = { ID, ExternalID, ...(without(rest, names) as Fields) };
  const kept = role === "player" ? { ID } : role === "marker" ? { ...others, Marker: {} } : others;
  const posts = postsOf(card);
  const message = "erased";
  const silent = (failure: DeliveryFailure): DeliveryFailure =>
    pointersTo(failure.message, names).length > 0 ? { ...failure, message } : failure;
  return {
    apiSet,
    externalId,
    // Another erasure may have taken another person off the card since it was read.
    expects: { version, states: [state], since, content, ...(card.posts && { posts: card.posts }) },
    set: {
      content: contentOf(kept),
      contentHash: erasedHash,
      // A second erasure knows no other hash: the digest of the first one stays.
      ...(contentHash !== erasedHash && { erasedContent: contentDigest }),
      earlierContents: undefined,
      formerRound: undefined,
      laterWarnings: undefined,
      ...(role === "player" && { record: undefined }),
      ...(card.failure !== undefined && { failure: silent(card.failure) }),
      ...(posts.length > 0 && {
        posts: posts.map((post) => ({ ...post, ...(post.failure && { failure: silent(post.failure) }) })),
        failed: undefined,
      }),
    },
  };
}

/** Whether a card's player has been erased: nothing but its ID is left of such a card. */
export const isPlayerErased = ({ contentHash, content }: StoredCard): boolean =>
  contentHash === erasedHash && !("Player" in (content.card() as Fields));

/** What a person may have of a card: the own card whole; of another's card what is about the person only. */
export function personsCopy(card: StoredCard, { role, pointers }: PersonOnCard): object {
  const { apiSet, externalId, state, since, acceptedAt, record, laterWarnings, playerUnknown } = card;
  const instant = (milliseconds: number) => new Date(milliseconds).toISOString();
  const about = { apiSet, externalId, role, state, acceptedAt: instant(acceptedAt), since: instant(since) };
  const content = cardIn(card);
  if (role === "player")
    return {
      ...about,
      card: content,
      warnings: card.content.warnings(),
      laterWarnings,
      playerUnknown,
      record,
    };
  return { ...about, ...(role === "marker" && { marker: content.Marker }), namedIn: pointers };
}
