/** A limit as API Gateway has it. */
interface RateLimit {
  readonly ratePerSecond: number;
}

/** The limit with its burst: as many requests at once as two seconds allow. */
export const withBurst = <Limit extends RateLimit>(limit: Limit): Limit & { readonly burst: number } => ({
  ...limit,
  burst: 2 * limit.ratePerSecond,
});

/** Limits of methods with one of their own for everybody together, by the name that `api/routes.ts` has. */
export const methodLimits = {
  /** Against guessing passwords. */
  loginThrottling: { ratePerSecond: 2, burst: 10 },
  /** Each address has a limit of its own, in core/accounts/sign-in-limit.ts. */
  signInThrottling: { ratePerSecond: 1_000, burst: 2_000 },
} as const;
