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
  smokeTest: { everyMinutes: 5, player: "25-1" },
  endpointMails: [{ address: "golf@greens.example", apiSets: ["greens-app"] }],
  monthlyBudget: { usDollars: 500, address: "treasurer@scorecards.example" },
};
