import type { StandInAccount } from "./account.ts";

const demoAccount = (username: string): StandInAccount => ({
  username,
  password: `${username}-demo`,
  apiSet: username,
});

/** The accounts of a stand-in that runs by itself: three vendors and the pipeline's mirror. They open nothing elsewhere. */
export const demoAccounts: readonly StandInAccount[] = [
  demoAccount("greens-app"),
  demoAccount("fairway-live"),
  { ...demoAccount("course-guide"), resources: ["clubs", "courses"] },
  { ...demoAccount("pipeline-mirror"), resources: ["clubs", "courses"] },
];
