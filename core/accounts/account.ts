import * as z from "zod/mini";
import { type GuidKey, guidKey } from "../formats/identifiers.ts";

/**
 * A vendor's tenant name, the first segment of its paths.
 *
 * Branded, so no card can be read or written with a text that was not checked.
 *
 * @see union-api, Authentication: API Set
 */
export type ApiSet = string & z.core.$brand<"ApiSet">;

/** An e-mail address is one, as at the union. */
const shape = /^[A-Za-z0-9][A-Za-z0-9._@+=-]{0,63}$/;

/** Names of paths beside the vendors' own, in lower case. */
const taken: ReadonlySet<string> = new Set([
  "login.aspx",
  "openapi.json",
  "operations",
  "portal",
  "reference",
]);

/**
 * Reads an API set; undefined if the text is not one: 1 to 64 letters, digits, and `._@+=-`, and no path of the API's own.
 */
export function readApiSet(text: unknown): ApiSet | undefined {
  const isName = typeof text === "string" && shape.test(text) && !taken.has(text.toLowerCase());
  return isName ? (text as ApiSet) : undefined;
}

/** Parses an API set. */
export const apiSetSchema = z.custom<ApiSet>((text) => readApiSet(text) !== undefined, "not an API set");

/** The parts of the API that a vendor's account may use, as its page at the union lists them. */
export const vendorResources = [
  "clubs",
  "courses",
  "golfer",
  "golfer-by-token",
  "scorecards",
  "records",
] as const;

/**
 * All parts of the API. `scorecards:read` is what `scorecards` only reads: states, lists and counts. `operations` shows all vendors
 * together, so it is for the operator's own people.
 */
export const resources = [...vendorResources, "scorecards:read", "operations"] as const;

/** One part of the API that access is granted to. */
export type Resource = (typeof resources)[number];

/** Printable ASCII, without a space at an end; a colon ends the user name in HTTP Basic. */
const usernameShape = /^[!-9;-~](?:[ -9;-~]{0,62}[!-9;-~])?$/;

/** Whether a new account may have a user name: two that look alike are one person's fault and another's password. */
export const isUsername = (text: string): boolean => usernameShape.test(text);

/** Whether two API sets, or two user names, are one: the union minds no case. */
export const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The club that an account is bound to: it reads and sends the cards of rounds there, and no others of its API set. */
export interface AccountClub {
  readonly id: GuidKey;
  /** The official one, which its members' UnionIDs begin with. */
  readonly number: number;
}

/** Parses `{number} {ID}`, as `writeAccountClub` writes it. A binding that cannot be read is an error: without it, an account reads all. */
export const accountClubSchema = z.pipe(
  z.string().check(z.regex(/^\d{1,9} [0-9A-F-]{36}$/)),
  z.transform((text): AccountClub => ({ number: Number.parseInt(text, 10), id: guidKey(text.slice(-36)) })),
);

/** @see accountClubSchema */
export const writeAccountClub = ({ id, number }: AccountClub): string => `${number} ${id}`;

/** How API Gateway counts an account's requests. */
export interface AccountUsage {
  /** Name of the usage plan. */
  readonly plan: string;
  /** The key that requests are counted by; it grants no access. */
  readonly key: string;
  /** API Gateway's own id of the key. */
  readonly keyId: string;
}

/** A vendor's API account. */
export interface Account {
  readonly username: string;
  readonly apiSet: ApiSet;
  readonly resources: readonly Resource[];
  /** Absent if the account has all that is its API set's. */
  readonly club?: AccountClub | undefined;
  /** A hash that `hashPassword` returned. */
  readonly passwordHash: string;
  /** The password before, which is valid until then; milliseconds since 1970, UTC. */
  readonly formerPassword?: { readonly hash: string; readonly until: number } | undefined;
  readonly disabled: boolean;
  /** Sessions of the portal that began before have ended; milliseconds since 1970, UTC. */
  readonly sessionsFrom?: number | undefined;
  /** When sessions began that a person has ended one by one. */
  readonly endedSessions?: readonly number[] | undefined;
  /** If absent, API Gateway accepts no request of the account. */
  readonly usage?: AccountUsage | undefined;
}

/** The user name and password of HTTP Basic. */
export interface BasicCredentials {
  readonly username: string;
  readonly password: string;
}

/** Reads an Authorization header; undefined if it is not HTTP Basic. @see RFC 7617 */
export function readBasicCredentials(header: string | undefined): BasicCredentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 1 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/** Writes an Authorization header. */
export function basicAuthorization({ username, password }: BasicCredentials): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`;
}
