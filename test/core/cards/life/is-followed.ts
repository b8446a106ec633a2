import type { StoredCard } from "../../../../core/cards/life/card.ts";
import { statesThat } from "../../../../core/cards/life/states.ts";

const always = statesThat("followed", "all");

/** Whether the stream's filter hands a change over, as test/lib/outcomes.test.ts holds the template's filter to. */
export function isFollowed(before: StoredCard | undefined, card: StoredCard): boolean {
  if (always.includes(card.state)) return true;
  const [was, is] = [before?.suspicion !== undefined, card.suspicion !== undefined];
  return was !== is || (is && before !== undefined && always.includes(before.state));
}
