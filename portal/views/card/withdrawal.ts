import { CardState } from "@scorecard-pipeline/scorecards-client";
import { texts } from "../../texts/texts.ts";

/**
 * What is said of a withdrawal that was asked for, by the card's state as it is shown beside it.
 *
 * @param isAnswered whether the API has answered the request; until then it waits for posts that may be under way
 */
export function formatWithdrawal(state: string, isAnswered: boolean): string {
  if (state === CardState.withdrawn) return texts.card.withdrawDone;
  if (state === CardState.delivered) return texts.card.withdrawLate;
  // The answer is there before the state has been read again.
  return isAnswered && state !== CardState.withdrawing ? texts.card.withdrawDone : texts.card.withdrawing;
}
