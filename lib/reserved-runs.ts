import type { OperationId } from "../api/routes.ts";
import { type FunctionName, functionNames } from "./bundles.ts";
import type { StageSettings } from "./stage-settings.ts";
import { servedOperations } from "./vendor-routes.ts";

/** Runs of a function, and how long the slowest request of one vendor takes. */
interface FunctionRuns {
  /** Runs that the function has for itself, and no more than these. */
  readonly runs: number;
  /** Whether they are of those that nobody reserves. */
  readonly isShared?: true;
  /** Seconds, except for the operations with a limit of their own. */
  readonly maxSeconds: number;
  /** Operations that may take longer: seconds, and requests a second of one vendor in the documented spelling. */
  readonly slow?: Partial<Record<OperationId, { readonly seconds: number; readonly perSecond: number }>>;
}

/**
 * Runs of the functions that answer vendors: one vendor with the largest plan, in its worst request, leaves runs to the others. A test
 * checks the product of each row. Only a union that answers is counted: a silent one answers nobody.
 */
export const vendorRuns: Readonly<Partial<Record<FunctionName, FunctionRuns>>> = {
  "submit-scorecards": {
    runs: 100,
    maxSeconds: 0,
    // A thousand cards: docs/performance.md has half of it. A live-scoring app sends single ones, 40 a second on its biggest day.
    slow: {
      submitScorecards: { seconds: 0.6, perSecond: 40 },
      submitExchangedScorecards: { seconds: 0.6, perSecond: 40 },
    },
  },
  "validate-scorecards": {
    runs: 50,
    maxSeconds: 0,
    // A hundred cards with `players`: the union is asked for ten seconds.
    slow: { validateScorecards: { seconds: 10, perSecond: 2.5 } },
  },
  "track-scorecards": {
    runs: 100,
    maxSeconds: 0.05,
    // Measured on the local run with 50,000 refused cards of a month, and a hundred cards of 150 KB.
    slow: {
      listScorecardStates: { seconds: 1, perSecond: 20 },
      listRefusals: { seconds: 0.6, perSecond: 5 },
      listTournaments: { seconds: 1.5, perSecond: 4 },
      getTournament: { seconds: 1.5, perSecond: 4 },
      listTournamentCards: { seconds: 1.5, perSecond: 4 },
    },
  },
  "change-delivery": {
    runs: 30,
    maxSeconds: 0.05,
    // It waits for a post that the exchange does not answer.
    slow: { withdrawScorecard: { seconds: 15, perSecond: 0.5 } },
  },
  "manage-webhooks": {
    runs: 25,
    maxSeconds: 0.05,
    slow: {
      replayWebhook: { seconds: 20, perSecond: 0.2 },
      // A queue's role is tried.
      createWebhook: { seconds: 5, perSecond: 0.2 },
      changeWebhook: { seconds: 5, perSecond: 0.2 },
    },
  },
  "read-members": {
    runs: 40,
    maxSeconds: 0,
    slow: {
      getGolfer: { seconds: 0.6, perSecond: 10 },
      getGolferByAccessToken: { seconds: 0.6, perSecond: 10 },
      getPlayerRecord: { seconds: 0.6, perSecond: 10 },
    },
  },
  "read-courses": { runs: 20, isShared: true, maxSeconds: 0.08 },
};

/** Runs of the other functions that would use up the account's, or that others would leave none. */
const ownRuns: Partial<Record<FunctionName, number>> = {
  // An authorization takes ten milliseconds, and is cached for five minutes.
  authorize: 20,
  "deliver-webhooks": 20,
  // One for each shard of the stream.
  "follow-outcomes": 20,
};

/** Runs that a function has for itself, and no more than these, in an account of 1,000 with both stages in it. */
export function findReservedRuns(name: FunctionName): number | undefined {
  const row = vendorRuns[name];
  return row === undefined || row.isShared ? ownRuns[name] : row.runs;
}

/** Runs that a stage reserves in all. Clubs, players and records are asked for by one run each. */
export function countReservedRuns(
  settings: Pick<StageSettings, "accountConcurrency" | "delivery" | "playerCheck" | "recordCheck">,
): number {
  const { accountConcurrency, delivery, playerCheck, recordCheck } = settings;
  if (accountConcurrency === "small") return 0;
  const own = functionNames.reduce((sum, name) => sum + (findReservedRuns(name) ?? 0), 0);
  const single = 1 + Number(playerCheck !== "off") + Number(recordCheck.share > 0);
  return own + delivery.maximumConcurrency + single;
}

/** Whether a function has runs for itself, deliveries among them, whose number is a setting. */
export const isReserving = (name: FunctionName): boolean =>
  name === "deliver-scorecards" || findReservedRuns(name) !== undefined;

/**
 * Seconds of its limit that a vendor may use at once: a table of cards is validated by some requests at a time. No more than the
 * function has runs.
 */
const burstSeconds = 10;

/**
 * The limits of one vendor for slow operations, by path and method, as CloudFormation has them in a usage plan. API Gateway counts each
 * spelling of a path: the others get together as much as the documented one.
 */
export function listVendorThrottles() {
  const throttles: Record<string, { readonly RateLimit: number; readonly BurstLimit: number }> = {};
  for (const { operationId, route, paths } of servedOperations) {
    const { runs, slow } = vendorRuns[route.answeredBy] ?? { runs: 0 };
    const { perSecond } = slow?.[operationId] ?? {};
    if (perSecond === undefined) continue;
    for (const [place, path] of paths.entries()) {
      const RateLimit = place === 0 ? perSecond : Math.floor((100 * perSecond) / (paths.length - 1)) / 100;
      throttles[`${path}/${route.method}`] = {
        RateLimit,
        BurstLimit: Math.min(runs, Math.ceil(RateLimit * burstSeconds)),
      };
    }
  }
  return throttles;
}
