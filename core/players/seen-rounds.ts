import type { ApiSet } from "../accounts/account.ts";
import { laterFinding } from "../cards/life/later-warnings.ts";
import type { Assessment } from "../golf/assess.ts";
import { orUnavailable } from "../golf/refusal.ts";
import type { CompareRounds } from "./compare-rounds.ts";
import type { RecalledRounds, RecallRounds } from "./known-player-table.ts";

/** What delivered rounds are found by. */
export interface SeenRounds {
  readonly recall: RecallRounds;
  readonly compareRounds: CompareRounds;
}

/**
 * Warns of valid cards whose rounds were delivered before under another ExternalID, of any vendor. Nothing is remembered of them.
 *
 * @param members what the union says of the players, by UnionID
 * @throws RefusalError `unavailable` if the table cannot be read
 */
export async function warnOfSeenRounds(
  assessments: readonly Assessment[],
  members: Parameters<RecalledRounds["identify"]>[0],
  apiSet: ApiSet,
  { recall, compareRounds }: SeenRounds,
): Promise<readonly Assessment[]> {
  const cards = assessments.flatMap((one) =>
    one.good ? [{ card: { apiSet, externalId: one.externalId, index: one.index }, sent: one.card }] : [],
  );
  const compare = async () => {
    const players = await recall(cards.map(({ sent }) => sent.Player.UnionID));
    await players.identify(members);
    return await compareRounds(cards, { ...players, rememberRounds: async () => new Set() });
  };
  const found = await orUnavailable("The delivered rounds could not be read.", compare());
  const byIndex = new Map([...found].map(([{ index }, warnings]) => [index, warnings]));
  return assessments.map((assessment) => {
    const { index, externalId, warnings } = assessment;
    const told = new Set(warnings.map(({ code }) => code));
    const more = (byIndex.get(index) ?? [])
      .filter(({ code }) => !told.has(code))
      .map((warning) => ({ ...laterFinding(externalId ?? "", warning), index }));
    return more.length === 0 ? assessment : { ...assessment, warnings: [...warnings, ...more] };
  });
}
