import { testDays } from "./simulated-days.ts";

testDays(
  "calm",
  "if nothing fails, each content is posted once, and a correction that waited once more",
  [1, 2],
);
testDays(
  "gateway",
  "a gateway that refuses what the exchange takes has no card lost or taken for lost",
  [1, 2],
);
testDays("badCard", "a card that is answered like an outage holds up no others", [1, 2]);
testDays("throttled", "a card whose item is throttled keeps no other from its end", [1]);
testDays("poison", "cards that break the exchange are rejected, and hold up no others", [1, 2]);
testDays(
  "longOutage",
  "an outage of two days loses nothing, and costs no more than three writes a card",
  [1],
);
testDays(
  "wrongAnswers",
  "an exchange that answers everything wrongly for a while has no card rejected",
  [2, 3],
);
testDays("chance", "posts that fail by chance have no good card rejected", [2]);
testDays(
  "partial",
  "an exchange of which a part is down for up to an hour has no good card rejected",
  [1, 2],
);
testDays(
  "unknown",
  "an exchange whose successes show no card has no good card rejected, and none left out",
  [1, 2],
);
