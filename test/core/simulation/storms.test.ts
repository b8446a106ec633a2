import { testDays } from "./simulated-days.ts";

testDays("storm", "whatever fails, each card ends as it was last sent", [2, 3, 4, 5]);
testDays("operator", "after holds, releases and redrives each card ends as it was last sent", [1, 2, 3]);
testDays("deployment", "a consumer of another form of message loses nothing", [1, 2]);
testDays("purge", "a queue that is purged costs an hour, and no card", [1, 2]);
testDays("pollers", "a queue that nobody takes messages from has each card posted once", [1, 2]);
testDays(
  "conflict",
  "an exchange that answers 409 to what it has keeps no card from being delivered",
  [1, 2, 3],
);
