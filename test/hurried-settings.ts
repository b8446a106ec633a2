import { settings } from "../lib/settings.ts";
import type { StageSettings } from "../lib/stage-settings.ts";

const unhurried = { ratePerSecond: 10_000, burst: 10_000, requestsPerDay: 10_000_000 };

/** The test stage with its waits scaled down; everything else is as it is deployed. */
export const hurried: StageSettings = {
  ...settings.test,
  // Nobody gets the mails: the local run logs them.
  endpointMails: [{ address: "vendors@scorecards.example" }],
  // Tests poll as fast as they can.
  usagePlans: { standard: unhurried, tournament: unhurried },
  delivery: {
    ...settings.test.delivery,
    postTimeoutSeconds: 1,
    timeoutSeconds: 6,
    visibilityTimeoutSeconds: 7,
  },
};
