import { hash } from "node:crypto";
import ipaddr from "ipaddr.js";
import { LRUCache } from "lru-cache";

/** How many attempts there may be at once, and how many seconds it takes until another one may follow. */
interface Allowance {
  readonly burst: number;
  readonly secondsEach: number;
}

/** Attempts that fail, of one address: as many people as a club house has behind one. */
export const addressAllowance: Allowance = { burst: 30, secondsEach: 2 };
/** Attempts that fail, of one address with one user name: a person who tries a few passwords. */
export const accountAllowance: Allowance = { burst: 6, secondsEach: 10 };

/** Addresses and user names that are remembered, by hashes of 22 characters; a flood of others pushes the oldest out. */
const maxRemembered = 50_000;

interface Bucket {
  readonly used: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Counts attempts to sign in, and refuses those of an address that has failed too often. */
export type SignInLimit = ReturnType<typeof signInLimit>;

/**
 * Limits attempts to sign in by address, and by address and user name. Never by user name alone: whoever knows it could
 * then shut its owner out.
 *
 * The counts are in memory, so each of the function's environments has its own, and no address is stored. That is enough:
 * passwords of 144 random bits cannot be guessed, so the limit only keeps a flood from doing work.
 *
 * @param now milliseconds since 1970
 */
export function signInLimit(now: () => number) {
  const buckets = new LRUCache<string, Bucket>({ max: maxRemembered });
  const countUsed = (key: string, { secondsEach }: Allowance) => {
    const { used, at } = buckets.get(key) ?? { used: 0, at: now() };
    return Math.max(0, used - (now() - at) / 1_000 / secondsEach);
  };
  const listKeys = (address: string, username: string) => {
    const network = toNetwork(address);
    // A user name may be as long as a request's body.
    const named = hash("sha256", `${network} ${username}`, "base64url").slice(0, 22);
    return [
      { key: network.slice(0, 50), allowance: addressAllowance },
      { key: named, allowance: accountAllowance },
    ];
  };
  return {
    /** Counts an attempt. @returns the seconds until the next one may be made, if this one may not; otherwise undefined */
    attempt(address: string, username: string): number | undefined {
      const counted = listKeys(address, username).map(({ key, allowance }) => {
        const used = countUsed(key, allowance) + 1;
        return { key, used, wait: Math.ceil((used - allowance.burst) * allowance.secondsEach) };
      });
      const wait = Math.max(...counted.map((one) => one.wait));
      if (wait > 0) return wait;
      for (const { key, used } of counted) buckets.set(key, { used, at: now() });
      return undefined;
    },
    /** Takes an attempt back, since its password was right. */
    succeeded(address: string, username: string): void {
      for (const { key, allowance } of listKeys(address, username)) {
        buckets.set(key, { used: Math.max(0, countUsed(key, allowance) - 1), at: now() });
      }
    },
  };
}

/** An IPv4 address, or the /64 of an IPv6 address, which is one household's or one server's. */
function toNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === "ipv4"
    ? parsed.toString()
    : parsed
        .toByteArray()
        .slice(0, 8)
        .map((byte) => byte.toString(16))
        .join(":");
}
