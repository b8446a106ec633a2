import { denmark } from "../unions/denmark.ts";
import type { Stage, StageSettings } from "./stage-settings.ts";
import { deployedTiming } from "./stage-timing.ts";

/** A submission may carry 1,000 cards; most requests read the state of cards. */
const usagePlans: StageSettings["usagePlans"] = {
  standard: { ratePerSecond: 20, requestsPerDay: 200_000, cardsPerDay: 200_000 },
  tournament: { ratePerSecond: 250, requestsPerDay: 500_000, cardsPerDay: 1_000_000 },
};

const alarms: StageSettings["alarms"] = {
  runbook: "https://scorecards.example/docs/runbook.md",
  unsentAt: { hour: 22, minute: 30 },
};

const shared = {
  operatorContact: "Scorecards, scorecards@union.example",
  timing: deployedTiming,
  tableGeneration: {},
  rollout: "allAtOnce",
  allowedOrigins: [],
  accountConcurrency: 1000,
  usagePlans,
  alarms,
  playerCheck: "rounds",
  // None until the operator knows that the union grants the vendors' accounts the players' records.
  recordCheck: { share: 0, parallelRequests: 2 },
  delivery: { singles: "fast", maximumConcurrency: 5 },
  mirror: { parallelRequests: 4 },
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
    requestsPerSecond: 100,
    keepData: false,
    cardRetentionDays: 90,
    logRetentionDays: 14,
  },
  production: {
    ...shared,
    stage: "production",
    tags: { application: "scorecard-pipeline", stage: "production" },
    union: { ...union, baseAddress: "https://union.example/api" },
    requestsPerSecond: 1000,
    keepData: true,
    cardRetentionDays: 800,
    logRetentionDays: 90,
  },
};
