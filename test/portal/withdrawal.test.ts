import { expect, test } from "vitest";
import { formatWithdrawal } from "../../portal/views/card/withdrawal.ts";

test.each([
  ["queued", false, /^Withdrawing/],
  ["withdrawing", false, /^Withdrawing/],
  ["withdrawing", true, /^Withdrawing/],
  ["withdrawn", false, /^The card is withdrawn/],
  ["withdrawn", true, /^The card is withdrawn/],
  ["retrying", true, /^The card is withdrawn/],
  ["delivered", false, /^Too late to withdraw/],
] as const)("of a card that is %s, with the answer there: %s, it is said: %s", (state, isAnswered, said) => {
  expect(formatWithdrawal(state, isAnswered)).toMatch(said);
});
