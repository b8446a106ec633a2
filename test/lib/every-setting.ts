import { settings } from "../../lib/settings.ts";
import type { StageSettings } from "../../lib/stage-settings.ts";

/** Each setting that makes resources, turned on. */
export const everySetting: Partial<StageSettings> = {
  alarms: { ...settings.test.alarms, address: "greenkeeper@scorecards.example" },
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
  monthlyBudgetUsDollars: 500,
};

/** Every setting that {@link everySetting} leaves as it is, with another value, and those of them that have parts with all of these. */
export const otherValues: Partial<StageSettings> = {
  operatorContact: "Greens, golf@greens.example",
  accountConcurrency: "small",
  requestsPerSecond: 50,
  usagePlans: {
    standard: { ratePerSecond: 10, requestsPerDay: 1_000, cardsPerDay: 1_000 },
    tournament: { ratePerSecond: 20, requestsPerDay: 2_000, cardsPerDay: 2_000 },
  },
  tags: { application: "golf" },
  bootstrapQualifier: "scother",
  cardRetentionDays: 60,
  logRetentionDays: 5,
  playerCheck: "off",
  delivery: { singles: "cheap", maximumConcurrency: 4 },
  mirror: { parallelRequests: 2 },
};
