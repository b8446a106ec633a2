import { hash } from "node:crypto";
import { type ConditionalWrite, type Item, number } from "../aws/batch.ts";
import { packText } from "../aws/packed-json.ts";
import { type GuidKey, isGuid } from "../formats/identifiers.ts";
import { versionFacts } from "../golf/course-versions.ts";
import { type RegisterRecord, readVersion } from "./record.ts";

/*
 * A version's item has its content and is in both indexes. It is also the listing of the club that it names, the first that listed
 * it, unless `gone` says that this club lists it no more. For every other club that lists the version there is an item without
 * content. Each write sets a later `changedAt`, and expects the one that was read. A removal expects `listedAt`, since another club
 * may have written new content meanwhile; items of an older version of this function lack it, and `goneAt`.
 * Courses may share tees, so each tee of each course has an item, in the index by course under the tee's key.
 */

const fingerprint = (text: string) => hash("sha256", text, "base64url");

/**
 * The most bytes of a packed version in one item, which may have 400 KB, keys and names included. No real course comes near that,
 * but one that does must not keep its club from being mirrored.
 */
const contentBytes = 380 * 1024;
/** Reads an ID that this file wrote. */
export const keyIn = (attribute: Item[string] | undefined) => (attribute?.S ?? "") as GuidKey;
/** The packed content in an item: all, or one piece. */
export const contentIn = (item: Item | undefined): Uint8Array => item?.content?.B ?? new Uint8Array();
/** Whether the club of a listing does not list the version any more. */
export const isGone = (item: Item) => item.gone?.BOOL === true;
/** When the club of a listing that is gone was seen to list the version no more, in milliseconds since 1970, UTC. */
export const goneAtOf = (item: Item) => Number(item.goneAt?.N ?? item.changedAt?.N);
/** When an item was written last, in milliseconds since 1970, UTC. */
export const changedAtOf = (item: Item) => Number(item.changedAt?.N);
/** Whether an item is a version's own, which has its content. */
export const isVersion = (item: Item) => item.content !== undefined;

/** The key of a listing that has an item of its own. */
export const listingKey = (id: GuidKey, clubId: GuidKey) => `${id}@${clubId}`;
/** The version whose item or listing this is. */
export const versionOf = (item: Item) => keyIn(item.id).split("@")[0] as GuidKey;

/** The key of a further piece. It has the fingerprint, so pieces of different writes are never read together. */
export const pieceKey = (id: GuidKey, print: string, index: number): Item => ({
  id: { S: `${id}#${print}#${index}` },
});

/** The key of a tee in the index by course. An older version of this function has one item a tee under it, with its last `course`. */
export const teeKey = (teeId: string) => `tee#${teeId}`;
const teeItem = (teeId: GuidKey, courseId: GuidKey): Item => ({
  id: { S: `${teeKey(teeId)}@${courseId}` },
  templateId: { S: teeKey(teeId) },
  version: number(0),
});
/** The course that a tee's item names. */
export const courseOfTee = ({ id }: Item) => keyIn(id).split("@")[1] as GuidKey;

interface VersionContent {
  /** Attributes of the version's item. */
  readonly attributes: Item;
  /** Items that must exist first: content that does not fit into the version's item, and one for each tee. */
  readonly before: readonly Item[];
}

/** @param stored the version's item, if there is one */
function contentOf({ id, text }: RegisterRecord, stored: Item | undefined): VersionContent {
  const print = fingerprint(text);
  const packed = packText(text);
  const count = Math.ceil(packed.length / contentBytes);
  const piece = (index: number) => packed.subarray(index * contentBytes, (index + 1) * contentBytes);
  const pieces = Array.from({ length: count - 1 }, (_, before) => ({
    ...pieceKey(id, print, before + 1),
    content: { B: piece(before + 1) },
  }));
  const { templateId, version, teesById } = versionFacts(readVersion(text));
  const tees = [...teesById.keys()].filter(isGuid);
  const teesPrint = fingerprint([templateId, ...tees].join());
  const attributes = {
    templateId: { S: templateId },
    version: number(version),
    teeItems: { S: teesPrint },
    fingerprint: { S: print },
    content: { B: piece(0) },
    ...((stored?.pieces !== undefined || count > 1) && { pieces: number(count) }),
  };
  // Most changes keep the tees' IDs, and writing their items again would multiply the cost of a change.
  const written = stored?.teeItems?.S === teesPrint ? [] : tees;
  return { attributes, before: [...pieces, ...written.map((teeId) => teeItem(teeId, templateId))] };
}

/** Conditional writes, and what must be written before them. */
export interface PlannedWrites extends Pick<VersionContent, "before"> {
  readonly writes: readonly ConditionalWrite[];
}

/** The writes that store and list a club's record; none if it is stored and listed already. */
export function planWrites(
  record: RegisterRecord,
  clubId: GuidKey,
  at: number,
  version: Item | undefined,
  listing: Item | undefined,
): PlannedWrites {
  const { id, text } = record;
  const key = { id: { S: id } };
  if (version === undefined) {
    const { attributes, before } = contentOf(record, undefined);
    const set = { ...attributes, clubId: { S: clubId }, changedAt: number(at), listedAt: number(at) };
    return { writes: [{ key, set }], before };
  }
  // An item without `teeItems` was written before a tee could have several courses: it is written again, once.
  const { attributes, before } =
    version.fingerprint?.S === fingerprint(text) && version.teeItems !== undefined
      ? { attributes: {}, before: [] }
      : contentOf(record, version);
  const { templateId, version: versionNumber } = { ...version, ...attributes } as Item;
  const keys = { templateId, version: versionNumber } as Item;
  const isOwn = keyIn(version.clubId) === clubId;
  const isListed =
    (isOwn && !isGone(version)) ||
    (listing !== undefined && !isGone(listing) && listing.templateId?.S === keys.templateId?.S);
  // A listing of another form is brought up to date instead: otherwise the club would list the version by two items.
  const returns = isOwn && !isListed && (listing === undefined || isGone(listing));
  const writes: ConditionalWrite[] = [];
  if (returns || Object.keys(attributes).length > 0) {
    const isListing = returns || (isOwn && !isGone(version));
    const set = { ...attributes, ...(isListing && { listedAt: number(at) }) };
    writes.push(update(key, version, at, set, returns));
  }
  if (!isListed && !returns) {
    const listed = { ...keys, clubId: { S: clubId }, listedAt: number(at) } as Item;
    const listingItem = { id: { S: listingKey(id, clubId) } };
    writes.push(
      listing === undefined
        ? { key: listingItem, set: { ...listed, changedAt: number(at) } }
        : update(listingItem, listing, at, listed, isGone(listing)),
    );
  }
  return { writes, before };
}

function update(key: Item, read: Item, at: number, set: Item, removesGone = false): ConditionalWrite {
  return {
    key,
    expects: { changedAt: [read.changedAt as Item[string]] },
    // Later than the time that was read, even if this clock is behind.
    set: { ...set, changedAt: number(Math.max(at, changedAtOf(read) + 1)) },
    ...(removesGone && { remove: ["gone"] }),
  };
}

/** Marks a listing as removed, unless its club has listed it since. @param listing its item as it was read */
export function removal({ id, changedAt, listedAt }: Item, at: number): ConditionalWrite {
  const expects = listedAt === undefined ? { changedAt: [changedAt] } : { listedAt: [listedAt] };
  const later = number(Math.max(at, Number(changedAt?.N) + 1));
  const set = { gone: { BOOL: true }, goneAt: later, changedAt: later };
  return { key: { id } as Item, expects: expects as ConditionalWrite["expects"], set };
}
