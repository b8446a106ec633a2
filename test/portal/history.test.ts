import type { CardPosts } from "@scorecard-pipeline/scorecards-client";
import { expect, test } from "vitest";
import { listHistory } from "../../portal/views/card/history.ts";

const acceptedAt = "2026-07-04T12:00:00.000Z";

test("a card's history has its posts between acceptance and outcome, in the order of time", () => {
  const posts = [
    {
      at: "2026-07-04T12:00:01.000Z",
      until: "2026-07-04T12:00:05.000Z",
      posts: 2,
      version: 1,
      error: { status: 503, stage: "after", message: "Service Unavailable" },
    },
    { at: "2026-07-04T12:00:09.000Z", posts: 1, version: 1 },
  ] satisfies CardPosts[];
  const since = "2026-07-04T12:00:09.500Z";
  const history = listHistory({ externalId: "a", state: "delivered", acceptedAt, since }, posts);
  expect(history.map(({ kind, at }) => [kind, at])).toEqual([
    ["accepted", acceptedAt],
    ["post", "2026-07-04T12:00:05.000Z"],
    ["post", "2026-07-04T12:00:09.000Z"],
    ["state", since],
  ]);
});

test("a card's history ends with what the player's record told of it", () => {
  const since = "2026-07-04T12:00:09.500Z";
  const record = { state: "recorded", at: "2026-07-04T15:00:00.000Z", differential: 246_000 } as const;
  const history = listHistory({ externalId: "a", state: "delivered", acceptedAt, since, record }, []);
  expect(history.at(-1)).toEqual({ kind: "record", at: record.at, record });
});

test("an earlier content of a card is in its history", () => {
  const earlier = [{ state: "delivered", at: "2026-07-04T12:00:02.000Z" }] as const;
  const history = listHistory({ externalId: "a", state: "queued", acceptedAt, earlier: [...earlier] }, []);
  expect(history).toEqual([
    { kind: "accepted", at: acceptedAt },
    { kind: "earlier", ...earlier[0] },
  ]);
});

test("the history of a waiting card ends with its next attempt, which is the breaker's while delivery is paused", () => {
  const nextAttemptAt = "2026-07-04T12:05:00.000Z";
  const retrying = { externalId: "a", state: "retrying", acceptedAt, nextAttemptAt } as const;
  expect(listHistory(retrying, []).at(-1)).toEqual({ kind: "next", at: nextAttemptAt });
  const paused = {
    since: acceptedAt,
    nextAttemptAt: "2026-07-04T12:01:00.000Z",
    lastError: { stage: "during", message: "timed out" },
  } as const;
  expect(listHistory({ ...retrying, paused }, []).at(-1)).toEqual({ kind: "next", at: paused.nextAttemptAt });
});
