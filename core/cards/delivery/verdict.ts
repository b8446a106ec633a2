import type { ApiSet } from "../../accounts/account.ts";
import type { DeliveryFailure } from "../life/card.ts";

/**
 * A post of a vendor that shows something: one by which a card was delivered, or one of a single card that failed. The failure of
 * an array shows nothing of any of its cards.
 */
export interface SeenPost {
  /** When it ended. */
  readonly at: number;
  readonly wentThrough: boolean;
}

/** What was seen of other posts since a card's last recorded failure. */
export interface Evidence {
  /** Posts of the same vendor that went through. */
  readonly through: number;
  /** Posts of single cards of the same vendor that failed, the card's own among them. */
  readonly failed: number;
}

/** Statuses below 500 that say nothing of a card; 407 comes from proxies only. */
const laterStatuses: ReadonlySet<number> = new Set([401, 407, 408, 425, 429]);

/**
 * 500 stands for anything: the union's document shows no other failure. It counts at most its share of six hours, by the time since
 * the last failure that counted: a part of the exchange may be down for hours, and fails for the same cards each time.
 */
const serverErrors = { status: 500, until: 6 * 60 * 60_000, maxGap: 90 * 60_000 };

/** Whether a failure of a card that was posted alone can mean that the exchange refuses it. Nobody understands any other one. */
export const canMeanNo = ({ status = 0 }: DeliveryFailure): boolean =>
  status === serverErrors.status || (status >= 400 && status < 500 && !laterStatuses.has(status));

/** What the failure of a card that was posted alone says about the card. */
export type Verdict =
  /** Nothing: no other post went through, so the exchange may be at fault. */
  | { readonly kind: "unwitnessed" }
  /** How sure it is by now that the card is at fault; see `certain`. */
  | { readonly kind: "suspected"; readonly suspicion: number }
  | { readonly kind: "rejected" };

/**
 * Suspicion is the logarithm of how improbable a card's failures are if the card is innocent, each by the share of posts that
 * failed at that time. At one in 100,000 the card is rejected.
 */
const certain = Math.log(100_000);

/**
 * Judges a card by its failure alone, beside the other posts since its last recorded failure.
 *
 * A single answer cannot say whether the card or the exchange is at fault, whatever its status. So the first failure beside a
 * success makes the card a suspect, and counts nothing yet: an outage may just have begun. Each further one counts if other posts
 * of the vendor went through since the one before.
 *
 * Only a status that can mean no counts. A part of the exchange that is down fails for the same cards each time, so what means
 * later never rejects a card, and neither does an answer that nobody understands.
 *
 * @param suspicion so far; undefined if the card was not suspected yet
 * @param sinceLast milliseconds since the last failure that counted
 */
export function judge(
  suspicion: number | undefined,
  failure: DeliveryFailure,
  { through, failed }: Evidence,
  sinceLast: number,
): Verdict {
  if (through === 0) return { kind: "unwitnessed" };
  if (suspicion === undefined) return { kind: "suspected", suspicion: 0 };
  if (!canMeanNo(failure)) return { kind: "suspected", suspicion };
  const charge = Math.log((through + failed + 1) / failed);
  const share = Math.min(sinceLast, serverErrors.maxGap) / serverErrors.until;
  const sum =
    suspicion + (failure.status === serverErrors.status ? Math.min(charge, certain * share) : charge);
  return sum >= certain ? { kind: "rejected" } : { kind: "suspected", suspicion: sum };
}

/**
 * The evidence about a card of a vendor.
 *
 * @param posts what an execution environment has seen, by vendor. It sees a part of all posts, and so of both kinds alike
 * @param since the card's last recorded failure, in milliseconds since 1970, UTC
 */
export function evidenceSince(
  posts: ReadonlyMap<ApiSet, readonly SeenPost[]>,
  apiSet: ApiSet,
  since: number,
): Evidence {
  const own = (posts.get(apiSet) ?? []).filter(({ at }) => at > since);
  const through = own.filter(({ wentThrough }) => wentThrough).length;
  return { through, failed: Math.max(1, own.length - through) };
}
