import type { Finding } from "./scorecard/finding.ts";

/** Why a request is not carried out, in the domain's own terms. functions/http/problem.ts makes an HTTP answer of it. */
export type Refusal =
  /** The body cannot be read as a submission. */
  | { readonly kind: "unreadable"; readonly title: string; readonly detail: string }
  /** The body is in an encoding that is not understood. */
  | { readonly kind: "unsupportedMediaType"; readonly detail: string }
  /** Over a limit of one submission. */
  | { readonly kind: "tooLarge"; readonly limit: string }
  /** Cards of a strict submission have faults, so none was stored. */
  | { readonly kind: "invalidCards"; readonly faults: readonly Finding[]; readonly cards: number }
  | { readonly kind: "noSuchCard" }
  /** The card's state does not allow it. */
  | { readonly kind: "conflict"; readonly title: string; readonly detail: string }
  /** Nothing is wrong with the request: it may be sent again after so many seconds. */
  | { readonly kind: "unavailable"; readonly detail: string; readonly retryAfterSeconds: number };

/** Thrown if a request cannot be carried out. */
export class RefusalError extends Error {
  override readonly name = "RefusalError";
  readonly refusal: Refusal;

  constructor(refusal: Refusal, cause?: unknown) {
    super(refusal.kind, { cause });
    this.refusal = refusal;
  }
}

/** The card's state does not allow what is asked. @param detail what to do instead, for the vendor's developer */
export const conflict = (title: string, detail: string) =>
  new RefusalError({ kind: "conflict", title, detail });

/** How a request may be answered that a dependency keeps from being carried out. */
export interface UnavailableOptions {
  /** 5 if left out. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/**
 * Nothing is wrong with the request: it may be sent again later.
 *
 * @param detail what was not done, for the vendor's developer
 * @example throw unavailable("The scorecards could not be stored.", { cause });
 */
export function unavailable(
  detail: string,
  { retryAfterSeconds = 5, cause }: UnavailableOptions = {},
): RefusalError {
  return new RefusalError({ kind: "unavailable", detail, retryAfterSeconds }, cause);
}

/**
 * Waits for a dependency. Nothing is lost if the vendor sends its request again.
 *
 * @param detail what was not done, for the vendor's developer
 * @throws RefusalError `unavailable` if the dependency fails
 */
export async function orUnavailable<T>(detail: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    throw unavailable(detail, { cause });
  }
}
