import { LRUCache } from "lru-cache";
import type { ApiSet } from "../accounts/account.ts";
import { externalIdsOf, findSandboxOutcome } from "../formats/external-ids.ts";
import { unavailable } from "../golf/refusal.ts";

/** How long a submission with a `sandbox:busy` card is refused, from the first time that the card comes. */
const busyMilliseconds = 3_000;
const maxCards = 10_000;

/**
 * Makes the function that refuses the first submissions of `sandbox:busy` cards: until Retry-After has passed. An execution environment
 * knows the cards that it has refused; a new one refuses them once more, which a client takes as well.
 */
export function refuseBusySandbox(now: () => number, busy: () => void) {
  const busyUntil = new LRUCache<string, number>({ max: maxCards });
  /** @throws RefusalError `unavailable` */
  return (apiSet: ApiSet, cards: readonly unknown[]): void => {
    const names = externalIdsOf(cards).filter((name) => findSandboxOutcome(name) === "busy");
    const ends = names.map((name) => {
      const key = `${apiSet} ${name}`;
      const end = busyUntil.get(key) ?? now() + busyMilliseconds;
      busyUntil.set(key, end);
      return end;
    });
    const wait = Math.max(...ends) - now();
    if (wait <= 0) return;
    busy();
    throw unavailable("The sandbox plays a busy API.", { retryAfterSeconds: Math.ceil(wait / 1000) });
  };
}
