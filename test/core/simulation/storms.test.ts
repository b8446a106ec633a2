import { testDays } from "./simulated-days.ts";

testDays("operator", "after holds, releases and redrives each card ends as it was last sent", [1, 2]);
testDays("hold", "a hold, even of weeks, has no card given up", [1, 2]);
testDays("deployment", "a consumer of another form of message loses nothing", [1]);
testDays("purge", "a queue that is purged costs an hour, and no card", [1]);
testDays("pollers", "a queue that nobody takes messages from has each card posted once", [1, 2]);
testDays("erasure", "what is left of an erased card is never posted", [1, 2]);
