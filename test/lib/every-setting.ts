import { settings } from "../../lib/settings.ts";
import type { StageSettings } from "../../lib/stage-settings.ts";

/** Each setting that makes resources, turned on. */
export const everySetting: Partial<StageSettings> = {
  alarms: { ...settings.test.alarms, address: "greenkeeper@scorecards.example" },
  outcomeEvents: true,
  recordCheck: { ...settings.test.recordCheck, share: 0.1 },
  allowedOrigins: ["https://scores.example"],
  keepData: true,
  domain: {
    name: "scorecards.union.example",
    certificateArn: "arn:aws:acm:eu-north-1:123456789012:certificate/1",
  },
  firewall: { requestsInFiveMinutes: 200_000 },
  rollout: "canary",
  endpointMails: [{ address: "golf@greens.example", apiSets: ["greens-app"] }],
  monthlyBudget: { usDollars: 500, address: "treasurer@scorecards.example" },
};

const { test: given } = settings;

/** Every setting that {@link everySetting} leaves as it is, with another value, and those of them that have parts with all of these. */
export const otherValues: Partial<StageSettings> = {
  memberTimeoutSeconds: 20,
  reservedConcurrency: {
    authorize: 60,
    submitScorecards: null,
    deliverScorecards: null,
    readMembers: null,
    manageWebhooks: null,
    deliverWebhooks: null,
  },
  throttling: { ratePerSecond: 50, burst: 60 },
  usagePlans: {
    standard: { ratePerSecond: 10, burst: 20, requestsPerDay: 1_000 },
    tournament: { ratePerSecond: 20, burst: 40, requestsPerDay: 2_000 },
  },
  loginThrottling: { ratePerSecond: 1, burst: 5 },
  signInThrottling: { ratePerSecond: 10, burst: 20 },
  tags: { application: "golf" },
  bootstrapQualifier: "scother",
  cardRetentionDays: 60,
  logRetentionDays: 5,
  logLevel: "DEBUG",
  unsentNoticeAt: { hour: 22, minute: 15 },
  playerCheck: "off",
  roundCheck: "off",
  delivery: {
    ...given.delivery,
    batchSize: 50,
    batchWindowSeconds: 1,
    postSize: 20,
    parallelPosts: 2,
    postTimeoutSeconds: 8,
    giveUpAfterSeconds: 86_400,
    maximumConcurrency: 4,
    timeoutSeconds: 40,
    visibilityTimeoutSeconds: 90,
  },
  mirror: {
    everyMinutes: 30,
    fullSyncAt: { hour: 4, minute: 0 },
    parallelRequests: 2,
    overlapSeconds: 300,
    timeoutSeconds: 300,
  },
};
