import { createHash } from "node:crypto";
import type { LoggedFault, TournamentOfCard } from "../../api/activity.ts";
import { splitByLength } from "../formats/chunks.ts";
import type { Finding } from "../golf/findings.ts";
import type { NamesErased } from "./erased-persons-table.ts";

/** A fault as it is stored: its item has the time and the request. */
export type StoredFault = Omit<LoggedFault, "at" | "requestId">;

/** Faults of one submission that are stored together, the first card first. */
export interface FaultChunk {
  /** The part of the vendor's log that they are in, one of `logParts`. */
  readonly part: string;
  /** Unique in the submission. */
  readonly number: number;
  readonly faults: readonly StoredFault[];
}

/*
 * A vendor's log has as many parts as let a search by ExternalID read a small part of it, and a page of the list still read all
 * of them. No submission writes more than one item to a part, unless its ExternalIDs were chosen for that.
 */
const partitionsByExternalId = 32;
const partsOfSome = 4;
const partsOfFew = 4;
/** Bytes of faults from which a submission is spread over all parts of one kind, so that it writes no more items than it has kilobytes. */
const largeBytes = partitionsByExternalId * 1024;
const mediumBytes = partsOfSome * 1024;

const names = (kind: string, count: number) => Array.from({ length: count }, (_, part) => `${kind}-${part}`);

/** All parts of a vendor's log. */
export const logParts: readonly string[] = [
  ...names("card", partitionsByExternalId),
  ...names("some", partsOfSome),
  ...names("few", partsOfFew),
];

/** Faults that are kept of a card, and of a submission unless it has more cards than that: each keeps one at least. */
const maxFaultsOfCard = 100;
const maxFaults = 5_000;
/** Characters of a value's JSON up to which it is kept. */
const maxValueLength = 200;
/** Characters of JSON in one item: DynamoDB's limit is 400 KB, and ExternalIDs can be chosen so that they share a part. */
const largestItem = 128 * 1024;

const computeHash = (text: string): number => createHash("sha256").update(text).digest().readUInt32BE();
const placeOf = (text: string, places: number) => computeHash(text) % places;

/** A short hash, by which an item is found that has a fault of the card. */
export const cardTag = (externalId: string): string =>
  createHash("sha256").update(externalId).digest("base64url").slice(0, 6);

/** The parts of the log that can have faults of a card. */
export const partsOf = (externalId: string): string[] => [
  `card-${placeOf(externalId, partitionsByExternalId)}`,
  `some-${placeOf(externalId, partsOfSome)}`,
  ...names("few", partsOfFew),
];

/** What was sent is not kept if it is about a person's identity, or long. */
const isKept = (pointer: string, value: unknown) =>
  value !== undefined &&
  !/^\/(Player|Marker)(\/|$)/i.test(pointer) &&
  JSON.stringify(value).length <= maxValueLength;

function kept({ expected, received, ...fault }: Finding): Finding {
  return {
    ...fault,
    ...(expected !== undefined && JSON.stringify(expected).length <= maxValueLength && { expected }),
    ...(isKept(fault.pointer, received) && { received }),
  };
}

/** At most `maxFaults`, with one of each card at least. */
function bounded(faults: readonly Finding[]): Finding[] {
  const cards = [...Map.groupBy(faults, ({ index }) => index).values()];
  const each =
    faults.length > maxFaults ? Math.max(1, Math.floor(maxFaults / cards.length)) : maxFaultsOfCard;
  return cards.flatMap((ofCard) => ofCard.slice(0, each).map(kept));
}

/**
 * Distributes the faults of a submission over the parts of a vendor's log: at most one chunk a kilobyte of faults.
 *
 * A submission of one card goes by its ExternalID, a small one by its request, larger ones by the ExternalID of each card.
 *
 * @param namesErased finds faults that are not kept: an erasure would take them out again
 * @param tournamentAt the tournament of a card by its place in the submission; the same few names deflate to almost nothing, so they
 *   do not count as bytes
 */
export function faultChunks(
  faults: readonly Finding[],
  requestId: string,
  namesErased: NamesErased,
  tournamentAt: (index: number) => TournamentOfCard | undefined = () => undefined,
): FaultChunk[] {
  const all = bounded(faults).filter((fault) => !namesErased([fault, tournamentAt(fault.index)]));
  const bytes = Buffer.byteLength(JSON.stringify(all));
  const isOneCard = all.every(({ index }) => index === all[0]?.index);
  const choosePart = ({ externalId, index }: Finding): string => {
    const card = externalId ?? `${requestId} ${index}`;
    if (isOneCard || bytes >= largeBytes) return `card-${placeOf(card, partitionsByExternalId)}`;
    if (bytes >= mediumBytes) return `some-${placeOf(card, partsOfSome)}`;
    return `few-${placeOf(requestId, partsOfFew)}`;
  };
  const withTournament = (fault: Finding): StoredFault => {
    const tournament = tournamentAt(fault.index);
    return tournament === undefined ? fault : { ...fault, tournament };
  };
  const parts = [...Map.groupBy(all, choosePart)];
  return parts
    .flatMap(([part, found]) =>
      splitByLength(found.map(withTournament), largestItem).map((some) => ({ part, faults: some })),
    )
    .map((chunk, number) => ({ ...chunk, number }));
}
