import { expect, test } from "vitest";
import { assessSubmission } from "../../../core/golf/assess.ts";
import type { AskForPlayer } from "../../../core/players/ask-for-players.ts";
import { warnOfUnknownPlayers } from "../../../core/players/check-assessed.ts";
import { context, fullCard } from "../golf/sample-cards.ts";

const card = (ExternalID: string, UnionID: string) => fullCard({ ExternalID, Player: { UnionID } });
const assess = (...cards: readonly unknown[]) => assessSubmission(cards, context());
const aMinute = (): number => 60_000;

/** A union that knows 1016-1 alone, and counts what it is asked. */
function union(answers: Readonly<Record<string, "found" | "refused" | "late">> = { "1016-1": "found" }) {
  const asked: string[] = [];
  const ask: AskForPlayer = async (unionId) => {
    asked.push(unionId);
    return { outcome: answers[unionId] ?? "nobody" };
  };
  return { asked, ask };
}

test("the cards of a player whom the union does not know get the warning, and each player is asked for once", async () => {
  const { ask, asked } = union();
  const assessed = assess(card("1", "1016-1"), card("2", "1016-2"), card("3", "1016-2"));
  const { assessments, players } = await warnOfUnknownPlayers(assessed, ask, aMinute);
  const warned = assessments.map(({ warnings }) =>
    warnings.flatMap(({ code, index }) => (code === "player_unknown" ? [index] : [])),
  );
  expect(warned).toEqual([[], [1], [2]]);
  expect([players, asked.sort()]).toEqual([{ known: 1, unknown: 1, unanswered: 0 }, ["1016-1", "1016-2"]]);
});

test("the player of a card with a fault is not asked for", async () => {
  const { ask, asked } = union();
  const assessed = assess({ ...card("1", "1016-2"), HCP: "12.4" });
  const { assessments, players } = await warnOfUnknownPlayers(assessed, ask, aMinute);
  expect([assessments, asked]).toEqual([assessed, []]);
  expect(players).toEqual({ known: 0, unknown: 0, unanswered: 0 });
});

test.each([
  ["refuses the account", union({ "1016-1": "refused" }).ask, aMinute],
  ["does not answer", union({ "1016-1": "late" }).ask, aMinute],
  ["cannot be asked", undefined, aMinute],
  ["has no time left to answer", union().ask, (): number => 1000],
] as const)("nobody is warned if the union %s, and the player counts as unanswered", async (_, ask, left) => {
  const assessed = assess(card("1", "1016-1"));
  expect(await warnOfUnknownPlayers(assessed, ask, left)).toEqual({
    assessments: assessed,
    players: { known: 0, unknown: 0, unanswered: 1 },
  });
});
