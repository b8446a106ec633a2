import type { Finding } from "./findings.ts";

/** Why a request is refused, in the domain's own terms. functions/http/problem.ts maps it to an HTTP response. */
export type Refusal =
  /** The body cannot be read as a submission. */
  | { readonly kind: "unreadable"; readonly title: string; readonly detail: string }
  /** The body's encoding is not supported. */
  | { readonly kind: "unsupportedMediaType"; readonly detail: string }
  /** Over a limit of one submission. */
  | { readonly kind: "tooLarge"; readonly limit: string }
  /** Cards of a strict submission have faults, so none was stored. */
  | { readonly kind: "invalidCards"; readonly faults: readonly Finding[]; readonly cards: number }
  | { readonly kind: "noSuchCard" }
  /** The card's state does not allow it. */
  | { readonly kind: "conflict"; readonly title: string; readonly detail: string }
  /** A dependency failed: the same request may be sent again after `retryAfterSeconds`. */
  | { readonly kind: "unavailable"; readonly detail: string; readonly retryAfterSeconds: number };

/** Thrown if a request is refused. */
export class RefusalError extends Error {
  override readonly name = "RefusalError";
  readonly refusal: Refusal;

  constructor(refusal: Refusal, cause?: unknown) {
    super(refusal.kind, { cause });
    this.refusal = refusal;
  }
}

/** The card's state does not allow the request. @param detail what to do instead, for the vendor's developer */
export const conflict = (title: string, detail: string) =>
  new RefusalError({ kind: "conflict", title, detail });

/**
 * A dependency failed: the same request may be sent again later.
 *
 * @param detail what was not done, for the vendor's developer
 * @example throw unavailable("The scorecards could not be stored.", { cause });
 */
export function unavailable(
  detail: string,
  { retryAfterSeconds = 5, cause }: { readonly retryAfterSeconds?: number; readonly cause?: unknown } = {},
): RefusalError {
  return new RefusalError({ kind: "unavailable", detail, retryAfterSeconds }, cause);
}

/**
 * Waits for a dependency.
 *
 * @param detail what was not done, for the vendor's developer
 * @throws RefusalError `unavailable` if the dependency fails
 */
export function orUnavailable<T>(detail: string, work: Promise<T>): Promise<T> {
  return work.catch((cause: unknown) => {
    throw unavailable(detail, { cause });
  });
}
