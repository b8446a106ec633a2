import { testDays } from "./simulated-days.ts";

testDays("storm", "whatever fails, each card ends as it was last sent", 16);
testDays("operator", "after holds, releases and redrives each card ends as it was last sent", 6);
testDays("deployment", "a consumer of another form of message loses nothing", 5);
testDays("purge", "a queue that is purged costs an hour, and no card", 4);
testDays("conflict", "an exchange that answers 409 to what it has keeps no card from being delivered", 7);
