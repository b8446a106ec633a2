import type { StandInAccount } from "./base/account.ts";

const demoAccount = (username: string): StandInAccount => ({
  username,
  password: `${username}-demo`,
  apiSet: username,
});

/**
 * The accounts of `npm run stand-in` and of the local run: two vendors with the agreement of every club, one that reads
 * clubs and courses, the pipeline's mirror and its record check, the office of the first club, and a vendor that needs each player's consent.
 * They exist nowhere else.
 */
export const demoAccounts: readonly StandInAccount[] = [
  demoAccount("greens-app"),
  demoAccount("fairway-live"),
  { ...demoAccount("course-guide"), resources: ["clubs", "courses"] },
  { ...demoAccount("pipeline-mirror"), resources: ["clubs", "courses"] },
  { ...demoAccount("pipeline-records"), resources: ["records"] },
  { ...demoAccount("club-office"), clubs: [1] },
  { ...demoAccount("round-share"), clubs: [] },
];
