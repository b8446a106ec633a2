import { expect, test } from "vitest";
import { type PlayProgress, play } from "../../../local/sample/play.ts";
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

test("every card of a sample meets the fate it has to, and the progress says so", async () => {
  await using api = await fakeApi({
    judge: asExpected(),
    state: (_, asked) => (asked === 0 ? "queued" : "delivered"),
    warnings: ["course_name_differs", "player_unknown"],
  });
  const shown: PlayProgress[] = [];
  const result = await play({
    api: api.address,
    vendors,
    submissions,
    onProgress: (progress) => shown.push(progress),
  });

  expect(result).toMatchObject({ total: 288, submitted: 288, accepted: 264, delivered: 264, unexpected: [] });
  expect(result.refused).toEqual({
    tee_unknown: 5,
    strokes_count: 5,
    duplicate_external_id: 5,
    total_mismatch: 5,
    version_not_in_force: 4,
  });
  // One player of both rounds has a mistyped number.
  expect(result.warned).toEqual({ player_unknown: 2 });
  expect(result.acceptedCards).toHaveLength(264);
  expect(result.acceptedCards[0]).toMatchObject({
    apiSet: "greens",
    state: "delivered",
    card: { ID: expect.stringMatching(/^id of/) },
  });
  expect(result.refusedExternalIds).toHaveLength(24);
  expect(shown.at(-1)).toEqual({ submitted: 288, accepted: 264, refused: 24, delivered: 264, total: 288 });
});

test("each vendor sends its cards to its own API set with its own credentials, asking for lenient handling", async () => {
  await using api = await fakeApi({ judge: asExpected() });
  await play({ api: api.address, vendors, submissions: submissions.slice(0, 2) });
  const posts = api.requests.filter(({ method }) => method === "POST");
  expect(posts.map(({ url }) => url).sort()).toEqual([
    "/test/fairway/ScorecardExchange",
    "/test/greens/ScorecardExchange",
  ]);
  for (const { url, headers } of posts) {
    const credentials = url.includes("greens") ? "greens:secret:1" : "fairway:two";
    expect(headers.authorization).toBe(`Basic ${btoa(credentials)}`);
    expect(headers.prefer).toBe("handling=lenient");
  }
});

test("an API that is starting is waited for: 503 first, then a lost connection", async () => {
  await using api = await fakeApi({ judge: asExpected(), before: [503, "lost"], retryAfter: "0" });
  const result = await play({ api: api.address, vendors, submissions: submissions.slice(0, 2) });
  expect(result.unexpected).toEqual([]);
  expect(result.delivered).toBe(44);
});

test("a submission that is not answered in time is unexpected, card by card", async () => {
  await using api = await fakeApi({ judge: asExpected(), before: [503, 503, 503], retryAfter: "60" });
  const result = await play({
    api: api.address,
    vendors,
    submissions: submissions.slice(0, 1),
    submissionDeadlineMilliseconds: 50,
  });
  expect(result.submitted).toBe(0);
  expect(result.unexpected).toHaveLength(24);
  expect(result.unexpected[0]).toMatchObject({ expected: "delivered", got: "HTTP 503" });
});

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

test("a sample can be broken off", async () => {
  await using api = await fakeApi({ judge: asExpected(), state: () => "queued" });
  const stop = new AbortController();
  const playing = play({
    api: api.address,
    vendors,
    submissions: submissions.slice(0, 1),
    signal: stop.signal,
    onProgress: () => stop.abort(new Error("Ctrl-C")),
  });
  await expect(playing).rejects.toThrow();
});
