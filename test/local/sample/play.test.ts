import { expect, test } from "vitest";
import { play } from "../../../local/sample/play.ts";
import { type SampleSubmission, sampleTournament } from "../../../local/sample/tournament.ts";
import { fakeApi } from "../../packages/client/fake-api.ts";
import { tournamentOptions } from "./small-union.ts";

const vendors = [
  { username: "greens", password: "secret:1", apiSet: "greens" },
  { username: "fairway", password: "two", apiSet: "fairway" },
];
const submissions = sampleTournament(tournamentOptions());

/** Says what the sample expects. */
function asExpected(of: readonly SampleSubmission[] = submissions) {
  const codes = new Map(
    of.flatMap(({ cards }) =>
      cards.map(({ card, expected }) => [
        JSON.stringify(card),
        expected.kind === "refused" ? expected.code : "",
      ]),
    ),
  );
  return (card: Record<string, unknown>) => {
    const code = codes.get(JSON.stringify(card));
    return code ? { code } : ("accepted" as const);
  };
}

test("a good card that is refused, a wrong one that is taken and one never delivered are told", async () => {
  const [submission] = submissions;
  const wrong = submission?.cards.find(({ expected }) => expected.kind === "refused")?.card.ExternalID;
  const [first, second] = submission?.cards.map(({ card }) => card.ExternalID) ?? [];
  const judge = asExpected();
  await using api = await fakeApi({
    judge: (card) => {
      if (card.ExternalID === first) return { code: "club_mismatch" };
      return card.ExternalID === wrong ? "accepted" : judge(card);
    },
    state: (externalId) => (externalId === second ? "retrying" : "delivered"),
  });
  const result = await play({
    api: api.address,
    vendors,
    submissions: submissions.slice(0, 1),
    deliveryDeadlineMilliseconds: 300,
  });
  expect(result.unexpected).toEqual(
    expect.arrayContaining([
      { externalId: first, expected: "delivered", got: "refused: club_mismatch" },
      { externalId: second, expected: "delivered", got: "retrying" },
      { externalId: wrong, expected: expect.stringMatching(/^refused: /), got: "delivered" },
    ]),
  );
  expect(result.unexpected).toHaveLength(3);
});
