import { denmark } from "../unions/denmark.ts";
import type { Stage, StageSettings } from "./stage-settings.ts";

const delivery: StageSettings["delivery"] = {
  // A card that is submitted alone should be delivered at once. Of a large submission, each message names 50 cards. With a
  // larger batch and a window, single cards share runs and posts: slower and cheaper, docs/costs.md.
  batchSize: 10,
  batchWindowSeconds: 0,
  postSize: 50,
  parallelPosts: 4,
  postTimeoutSeconds: 10,
  giveUpAfterSeconds: 2 * 86_400,
  maximumConcurrency: 5,
  timeoutSeconds: 30,
  // AWS advises six times the function's timeout, for functions that are throttled. The event source's maximum
  // concurrency prevents throttling here, and with less the messages of a crashed run return sooner.
  visibilityTimeoutSeconds: 60,
};

/** A submission may carry 1,000 cards; most requests read the state of cards. */
const usagePlans: StageSettings["usagePlans"] = {
  standard: { ratePerSecond: 20, burst: 40, requestsPerDay: 200_000 },
  tournament: { ratePerSecond: 500, burst: 1000, requestsPerDay: 5_000_000 },
};

const mirror: StageSettings["mirror"] = {
  everyMinutes: 15,
  fullSyncAt: { hour: 3, minute: 30 },
  parallelRequests: 4,
  overlapSeconds: 600,
  timeoutSeconds: 600,
};

/** 0 until the operator knows that the union grants the vendors' accounts the players' records. */
const recordCheck: StageSettings["recordCheck"] = {
  share: 0,
  everyMinutes: 30,
  firstAfterSeconds: 3 * 3600,
  lastAfterSeconds: 3 * 86_400,
  parallelRequests: 2,
  timeoutSeconds: 900,
};

const alarms: StageSettings["alarms"] = {
  runbook: "https://scorecards.example/docs/runbook.md",
  oldestCardSeconds: 3600,
  mirrorAgeSeconds: 3 * 3600,
  unsentAt: { hour: 22, minute: 30 },
};

/** For an account of 1,000, with both stages in it. */
const reservedConcurrency: StageSettings["reservedConcurrency"] = {
  authorize: 50,
  submitScorecards: 200,
  deliverScorecards: 5,
  readMembers: 50,
  manageWebhooks: 20,
  deliverWebhooks: 20,
};

const tableGeneration: StageSettings["tableGeneration"] = {
  cards: 1,
  activity: 1,
  accounts: 1,
  webhooks: 1,
  courses: 1,
  clubs: 1,
};

const shared = {
  tableGeneration,
  rollout: "allAtOnce",
  allowedOrigins: [],
  memberTimeoutSeconds: 15,
  reservedConcurrency,
  usagePlans,
  loginThrottling: { ratePerSecond: 2, burst: 10 },
  signInThrottling: { ratePerSecond: 1_000, burst: 2_000 },
  logLevel: "INFO",
  alarms,
  unsentNoticeAt: { hour: 23, minute: 0 },
  outcomeEvents: false,
  playerCheck: "warn",
  roundCheck: "warn",
  recordCheck,
  delivery,
  mirror,
} satisfies Partial<StageSettings>;

/** The union of both stages. Another one is another file of unions/; docs/unions.md. */
const union = denmark;

/** The settings of the deployed stages. The union's addresses are placeholders until an operator sets them. */
export const settings: Record<Stage, StageSettings> = {
  test: {
    ...shared,
    stage: "test",
    tags: { application: "scorecard-pipeline", stage: "test" },
    union: { ...union, baseAddress: "https://test.union.example/api" },
    throttling: { ratePerSecond: 100, burst: 200 },
    keepData: false,
    cardRetentionDays: 90,
    logRetentionDays: 14,
  },
  production: {
    ...shared,
    stage: "production",
    tags: { application: "scorecard-pipeline", stage: "production" },
    union: { ...union, baseAddress: "https://union.example/api" },
    throttling: { ratePerSecond: 1000, burst: 2000 },
    keepData: true,
    cardRetentionDays: 800,
    logRetentionDays: 90,
  },
};
