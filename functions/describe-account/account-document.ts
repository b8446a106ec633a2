import * as z from "zod/mini";
import { curlExample, findNote } from "../../api/document/curl-example.ts";
import type { ShownOperation } from "../../api/document/shown-operations.ts";
import { findGrant, routes } from "../../api/routes.ts";
import type { Account } from "../../core/accounts/account.ts";

/** Rate limit and burst of requests. */
export const throttlingSchema = z.object({ ratePerSecond: z.number(), burst: z.number() });

/** Limits of a usage plan. */
export const planSchema = z.extend(throttlingSchema, { requestsPerDay: z.number() });

/** The limits of an account's requests. */
interface RequestLimits {
  /** Its usage plan; undefined if it has none. */
  readonly plan: z.infer<typeof planSchema> | undefined;
  /** The stage's limit of each request, for all accounts together. */
  readonly throttling: z.infer<typeof throttlingSchema>;
}

interface Deployment {
  /** Base address, with the stage. */
  readonly base: string;
  readonly stage: string;
  /** The union's. */
  readonly timeZone: string;
  /** Whom its user calls or writes to. */
  readonly operatorContact: string;
}

/** What an account may use, which its page and the portal show. */
export type AccountDocument = ReturnType<typeof accountDocument>;

/** What an account may use, with an example of each request that it is granted. */
export function accountDocument(
  account: Account,
  { base, stage, timeZone, operatorContact }: Deployment,
  limits: RequestLimits,
  operations: readonly ShownOperation[],
) {
  const { username, apiSet, resources, club } = account;
  return {
    username,
    apiSet,
    stage,
    base,
    timeZone,
    operatorContact,
    resources,
    ...(club !== undefined && { club }),
    requests: requestsText(account, limits),
    operations: operations.flatMap((operation) => {
      const { operationId, method, path, summary, description } = operation;
      const resource = findGrant(routes[operationId], resources);
      if (resource === undefined || (club && !("forClub" in routes[operationId]))) return [];
      const note = findNote(operation);
      return {
        resource,
        method: method.toUpperCase(),
        path: path.replace("{apiset}", apiSet),
        summary,
        description,
        example: curlExample(operation, { base, username, apiSet }),
        ...(note !== undefined && { note }),
      };
    }),
  };
}

/** A number with its thousands. Not by a shared Intl.NumberFormat: creating one would add ten milliseconds to each cold start. */
export const written = (number: number) => number.toLocaleString("en");

/** An account's limit of requests, in words. The lower limit applies: a plan may allow more than the stage does of one request. */
function requestsText({ usage }: Account, { plan, throttling }: RequestLimits): string {
  if (usage === undefined) return "none: the account has no usage plan yet; the operator can give it one";
  if (plan === undefined) return `by the plan ${usage.plan}`;
  const rate = Math.min(plan.ratePerSecond, throttling.ratePerSecond);
  const burst = Math.min(plan.burst, throttling.burst);
  const each = `${written(rate)} a second, ${written(burst)} at once`;
  const all = `${written(plan.ratePerSecond)} a second, ${written(plan.burst)} at once`;
  const daily = `${written(plan.requestsPerDay)} a day (plan ${usage.plan})`;
  if (each === all) return `${all}, ${daily}`;
  return `${each} of each request below, shared with other accounts; ${all} of all of them; ${daily}`;
}
