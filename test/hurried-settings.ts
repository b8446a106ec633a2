import { settings } from "../lib/settings.ts";
import type { StageSettings } from "../lib/stage-settings.ts";

const unhurried = { ratePerSecond: 10_000, requestsPerDay: 10_000_000, cardsPerDay: 10_000_000 };

/** The test stage with its waits scaled down; everything else is as it is deployed. */
export const hurried: StageSettings = {
  ...settings.test,
  // Nobody gets the mails: the local run logs them.
  endpointMails: [{ address: "vendors@scorecards.example" }],
  // Tests poll as fast as they can.
  usagePlans: { standard: unhurried, tournament: unhurried },
  // A withdrawal waits one and a half times as long as a post; on a busy machine the union takes a second to answer.
  timing: { ...settings.test.timing, post: 3, deliveryRun: 10, redelivery: 12 },
};
