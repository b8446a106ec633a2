import { describe } from "vitest";
import { testSabotage } from "./simulated-days.ts";

describe("if the code is broken on purpose, the judge notices that", () => {
  testSabotage("noRepost", "late", "corrections that waited are not posted once more", 1);
  testSabotage("noWait", "storm", "corrections do not wait", 1);
  testSabotage("unconditionalWrites", "storm", "writes are not conditional", 6);
  testSabotage("storeFirst", "storm", "a card is stored before its wake-up is sent", 1);
  testSabotage("noWithdrawalWait", "withdrawals", "a withdrawal does not wait for posts under way", 3);
  testSabotage("withdrawnAtOnce", "withdrawals", "a withdrawal is told before it is decided", 15);
  testSabotage("noLateNote", "withdrawals", "an outcome that comes too late is not noted", 13);
  testSabotage("repostAfterRecord", "late", "a second post is planned after the record, not before", 4);
  testSabotage("assumeEchoed", "wrongAnswers", "every card of a 2xx counts as delivered", 11);
  testSabotage("breakerStaysOpen", "wrongAnswers", "a breaker never closes", 1);
  testSabotage("rejectAtOnce", "chance", "a card is rejected at its first failure", 2);
  testSabotage("deleteAtOnce", "storm", "what a run receives is deleted before its cards are done with", 10);
  testSabotage("failuresUnsaid", "storm", "a run that failed says that its cards are done with", 11);
  testSabotage("noWaking", "purge", "nobody looks for cards whose wake-ups were lost", 3);
  testSabotage("unreadStopsAll", "throttled", "a card that cannot be read stops those beside it", 1);
});
