import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient, type ScorecardsClient } from "@scorecard-pipeline/scorecards-client";
import { expect, test } from "vitest";
import { playableTees } from "../../../core/smoke-test/playable-tee.ts";
import { courseToPlay, smokeTest } from "../../../core/smoke-test/smoke-test.ts";
import { union } from "../../local/sample/small-union.ts";

const version = union.courses.find(({ IsActive }) => IsActive);
const [tee] = version === undefined ? [] : playableTees(version);
if (version === undefined || tee === undefined) throw new Error("The union has no tee to play.");
const vendor = { username: "greens", password: "secret", apiSet: "greens" };

test("the course to play is chosen at the union's local time, and has been in force for some days", async () => {
  const now = new Date("2026-06-30T22:30:00Z");
  const asked: (string | null)[] = [];
  const server = createServer(({ url = "" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://fake");
    if (pathname.endsWith("/Clubs")) {
      response.end(JSON.stringify([{ ID: "club", UnionNumber: 25 }]));
      return;
    }
    asked.push(searchParams.get("inforce"));
    const versions = [{ ...version, ID: "newest", ActivationDate: "20260628T220000" }, version];
    response.end(JSON.stringify(versions));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/test`;
  const { signal } = new AbortController();
  const course = await courseToPlay(createClient({ api, ...vendor }), now, "Europe/Copenhagen", signal);
  server.closeAllConnections();
  server.close();
  expect(asked).toEqual(["20260701T003000"]);
  expect(course).toMatchObject({ unionNumber: 25, versionId: version.ID });
});

type Client = Pick<ScorecardsClient, "submit" | "follow" | "statuses">;
type Status = { readonly state: string };

const course = { clubId: "club", unionNumber: 25, versionId: "version", tee };

/** A smoke test by an API that answers and tells states as given, with what it was sent. */
async function tested({
  good = 201,
  bad = ["strokes_count"],
  ofGood = { state: "delivered" },
  ofBad = { state: "refused" },
}: {
  good?: 201 | 422;
  bad?: readonly string[];
  ofGood?: Status;
  ofBad?: Status;
}) {
  const cards: object[] = [];
  const answer = (given: readonly object[]) => {
    cards.push(...given);
    return [
      { status: good, errors: good === 422 ? [{ code: "tee_unknown" }] : undefined },
      bad.length === 0 ? { status: 201 } : { status: 422, errors: bad.map((code) => ({ code })) },
    ];
  };
  const statuses = (ids: readonly string[]) =>
    ids.map((externalId) => ({ externalId, ...(externalId.endsWith("good") ? ofGood : ofBad) }));
  const client = {
    submit: async (given: object[]) => answer(given),
    statuses: async (ids: readonly string[]) => statuses(ids),
    async *follow(ids: readonly string[]) {
      // A card whose state does not change is told once, before the union holds it up.
      yield* ids.map((externalId) => ({ externalId, state: "queued" }));
    },
  } as unknown as Client;
  const now = new Date("2026-06-30T22:30:00Z");
  const { signal } = new AbortController();
  const options = { course, now, timeZone: "Europe/Copenhagen", player: "25-1", signal };
  const { goodAsExpected, badAsExpected } = await smokeTest(client, {
    ...options,
    deliveredWithinSeconds: 30,
  });
  return { cards, verdict: [goodAsExpected, badAsExpected] };
}

test("a smoke test is as expected if the good card is delivered and the bad one refused", async () => {
  const { cards, verdict } = await tested({});
  expect(verdict).toEqual([true, true]);
  expect(cards).toMatchObject([
    { Round: { StartTime: "20260630T100000", HolesPlayed: 18 }, Player: { UnionID: "25-1" } },
    { Round: { HolesPlayed: 17 } },
  ]);
});

test.each<[string, Parameters<typeof tested>[0], boolean[]]>([
  ["the good card is refused", { good: 422, ofGood: { state: "refused" } }, [false, true]],
  ["the good card is not delivered in time", { ofGood: { state: "queued" } }, [false, true]],
  ["the good card is rejected", { ofGood: { state: "rejected" } }, [false, true]],
  ["the bad card is accepted", { bad: [], ofBad: { state: "queued" } }, [true, false]],
  ["the bad card is refused for something else, too", { bad: ["hcp", "strokes_count"] }, [true, false]],
  ["the bad card is delivered all the same", { ofBad: { state: "delivered" } }, [true, false]],
])("a smoke test says so if %s", async (_, given, expected) => {
  expect((await tested(given)).verdict).toEqual(expected);
});
