import { expect, test } from "vitest";
import type { Sabotage } from "../sabotage.ts";
import { explore } from "./explore.ts";
import type { StoryName } from "./stories.ts";

const planted: readonly [Sabotage, StoryName, sentence: string][] = [
  ["noRepost", "a card is corrected", "corrections that waited are not posted once more"],
  ["noWait", "a card is corrected", "corrections do not wait"],
  ["unconditionalWrites", "a card is submitted", "writes are not conditional"],
  ["lostIsWritten", "a card is corrected", "a write that was refused counts as made"],
  ["storeFirst", "a card is submitted", "a card is stored before its wake-up is sent"],
  ["wakeUpDropped", "two cards are submitted", "of several wake-ups the last is not sent"],
  ["noWithdrawalWait", "a card is withdrawn", "a withdrawal does not wait for posts under way"],
  ["withdrawnTooEarly", "a card is withdrawn", "a withdrawal waits too short"],
  ["withdrawnAtOnce", "a card is withdrawn", "a withdrawal is told before it is decided"],
  ["noLateNote", "a card is withdrawn", "an outcome that comes too late is not noted"],
  ["repostAfterRecord", "a card is corrected", "a second post is planned after the record, not before"],
  ["assumeEchoed", "a card is submitted", "every card of a 2xx counts as delivered"],
  ["breakerStaysOpen", "a card is submitted", "a breaker never closes"],
  ["rejectAtOnce", "a card is submitted", "a card is rejected at its first failure"],
  ["failuresUnsaid", "a card is submitted", "a run that failed says that its cards are done with"],
  ["noteIsNoClaim", "a card is corrected", "a note before a second post is no claim"],
  [
    "erasedIsPosted",
    "a corrected card's player is erased after three hours",
    "what is left of an erased card is posted",
  ],
];

test.each(planted)("%s, planted: %s shows that %s", async (sabotage, name) => {
  const { ways, violations } = await explore(name, { maxFaults: 1, sabotage });
  console.log(`${sabotage}: ${ways} ways until ${violations[0]}`);
  expect(violations).not.toEqual([]);
});
