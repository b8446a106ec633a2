import { createHmac } from "node:crypto";
import { unionIdKey } from "./identifiers.ts";

/** The data under each keyed digest that is stored of a person. `scorecards person` looks for every one of these purposes. */
interface DigestParts {
  /** What is remembered of a player. */
  knownPlayer: [unionId: string];
  /** The rounds of a person with several memberships. */
  person: [lifeTimeId: string];
  /** The content of a card that a person was erased from, to know it when it is sent again. */
  erasedContent: [apiSet: string, externalId: string, contentHash: string];
  /** A number or name of somebody who was erased, to know them in restored data and refused cards. @see keysOfPerson */
  erasedPerson: [key: string];
  /** The rows of a player's record that were taken as cards' rounds. @see roundIdentity */
  recordEvidence: [round: string];
}

export type DigestPurpose = keyof DigestParts;

/**
 * What is hashed for each purpose, and how the stored key is made of the hash. Stored items are found by these keys, so none may
 * change. Two purposes never hash the same text: a UnionID has neither spaces nor brackets, and evidence, whose text names no
 * purpose, is a JSON array.
 */
const digests: Readonly<{
  [P in DigestPurpose]: { text(...parts: DigestParts[P]): string; key(hash: string): string };
}> = {
  // In the table of cards no card's key and no breaker's begins like this: an API set has no colon.
  knownPlayer: { text: unionIdKey, key: (hash) => `player:${hash}` },
  person: {
    text: (lifeTimeId) => `person ${lifeTimeId.trim().toUpperCase()}`,
    key: (hash) => `player:${hash}`,
  },
  // Evidence is an array of two.
  erasedContent: {
    text: (...card) => JSON.stringify(card),
    key: (hash) => hash,
  },
  erasedPerson: { text: (person) => `erased ${person}`, key: (hash) => hash },
  recordEvidence: { text: (round) => round, key: (hash) => hash },
};

export const digestPurposes = Object.keys(digests) as DigestPurpose[];

/**
 * The key under which something is stored of a person. It is a keyed hash, because a plain one could be undone by hashing every
 * UnionID there is. Each spelling of a UnionID gives the same key, so that the person's items are found.
 */
export function keyedDigest<P extends DigestPurpose>(
  secret: string,
  purpose: P,
  ...parts: DigestParts[P]
): string {
  const { text, key } = digests[purpose];
  return key(
    createHmac("sha256", secret)
      .update(text(...parts))
      .digest("base64url"),
  );
}
