import type { Table } from "aws-cdk-lib/aws-dynamodb";
import type { Function as LambdaFunction } from "aws-cdk-lib/aws-lambda";
import { bind } from "./pipeline-function.ts";
import type { StageSettings } from "./stage-settings.ts";

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

/**
 * What the requests of a plan may use on average, in read units of DynamoDB: the states of a hundred cards take about as many. A
 * program that reads too much can still send cards.
 */
export const unitsOfRequest = { reading: 80, sending: 120 } as const;

/** Has a function count what vendors' requests use, against the quotas of their plans. */
export function bindQuota(
  to: LambdaFunction,
  activity: Table,
  { usagePlans, union }: Pick<StageSettings, "usagePlans" | "union">,
  kind: keyof typeof unitsOfRequest,
): void {
  const quotas = Object.entries(usagePlans).map(([plan, { cardsPerDay, requestsPerDay }]) => [
    plan,
    { cards: cardsPerDay, units: unitsOfRequest[kind] * requestsPerDay },
  ]);
  to.addEnvironment("QUOTAS", JSON.stringify(Object.fromEntries(quotas)));
  to.addEnvironment("TIME_ZONE", union.timeZone);
  bind(to, "ACTIVITY_TABLE", activity, ["UpdateItem"]);
}
