import { createHmac } from "node:crypto";
import { unionIdKey } from "../formats/identifiers.ts";

const hmac = (secret: string, text: string) => createHmac("sha256", secret).update(text).digest("base64url");

/*
 * Keys of items in the table of cards. Neither a card's key nor a breaker's begins like these: an API set has no colon. They are
 * keyed hashes, because a plain one could be undone by hashing every number there is; and of the same form of a number however it
 * was spelt, so that the items of a person can be found.
 */

/** The key under which it is remembered that the union knows a player. */
export const playerDigest = (secret: string, unionId: string): string =>
  `player:${hmac(secret, unionIdKey(unionId))}`;

/** The key under which the rounds of a player's day are remembered. @param day `yyyymmdd` */
export const dayDigest = (secret: string, unionId: string, day: string): string =>
  `rounds:${hmac(secret, `${unionIdKey(unionId)} ${day}`)}`;

/**
 * A player of a tournament's start list. Other tournaments and other vendors have other digests of the same player, so that lists
 * cannot be compared. Half of the hash is enough to tell 2,000 players apart.
 */
export const startListDigest = (
  secret: string,
  apiSet: string,
  tournamentId: string,
  unionId: string,
): string => hmac(secret, `start list ${apiSet} ${tournamentId} ${unionIdKey(unionId)}`).slice(0, 22);
