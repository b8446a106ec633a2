/** A limit as API Gateway has it. */
interface RateLimit {
  readonly ratePerSecond: number;
}

/** The limit with its burst: as many requests at once as two seconds allow. */
export const withBurst = <Limit extends RateLimit>(limit: Limit): Limit & { readonly burst: number } => ({
  ...limit,
  burst: 2 * limit.ratePerSecond,
});

/**
 * Limits of methods with one of their own for everybody together, by the name that `api/routes.ts` has. They are all that a stranger can
 * spend: 50 USD a day, by a test.
 */
export const methodLimits = {
  /** Against guessing passwords. */
  login: { ratePerSecond: 2, burst: 10 },
  /** Each address has a limit of its own, too, in core/accounts/sign-in-limit.ts. */
  signIn: { ratePerSecond: 20, burst: 400 },
  session: { ratePerSecond: 10, burst: 200 },
  /** The portal's page, and its files, which browsers keep. */
  page: { ratePerSecond: 8, burst: 300 },
  /** Large documents, which readers keep for five minutes. */
  document: { ratePerSecond: 2, burst: 40 },
} as const;
