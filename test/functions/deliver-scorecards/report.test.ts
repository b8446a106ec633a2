import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TableBatchError } from "../../../core/aws/batch.ts";
import type { DrainEvent } from "../../../core/cards/delivery/drain-queue.ts";
import type { DeliveryEvent } from "../../../core/cards/delivery/run.ts";
import type { PostResult } from "../../../core/union/exchange.ts";
import { reporter } from "../../../functions/deliver-scorecards/report.ts";
import { gatherFigures } from "../../../functions/runtime/metrics.ts";
import { echo, status, timedOut, unconnected } from "../../core/cards/delivery-world.ts";
import { green, start } from "../../core/memory/stored-card.ts";
import { minute } from "../../durations.ts";

/** Lines of embedded metrics. */
let lines: string[];
/** Lines of the log. */
let logged: Record<string, unknown>[];

beforeEach(() => {
  vi.stubEnv("POWERTOOLS_METRICS_NAMESPACE", "test");
  vi.stubEnv("POWERTOOLS_METRICS_DISABLED", "false");
  lines = [];
  logged = [];
  for (const name of ["log", "info", "error"] as const) {
    vi.spyOn(console, name).mockImplementation((line: string) => {
      if (line.includes('"_aws"')) lines.push(line);
      else logged.push(JSON.parse(line));
    });
  }
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

const published = () =>
  lines.map((line) => {
    const { _aws, service: _, ...figures } = JSON.parse(line);
    return figures;
  });
const posted = (result: PostResult, milliseconds = 40): DeliveryEvent => ({
  kind: "posted",
  apiSet: green,
  result,
  milliseconds,
  cards: [
    { externalId: "Karen Player 160575-026", card: '{"FullName":"Karen"}', requestId: "request-1" },
    { externalId: "2", card: "{}", requestId: "request-1" },
    { externalId: "3", card: "{}" },
  ],
});

/** Reports events as one run does. */
function report(...events: readonly (DeliveryEvent | DrainEvent)[]) {
  const run = gatherFigures();
  for (const event of events) reporter(run, () => new Date(start + minute))(event);
  run.publish();
}

test("recorded outcomes are counted, in one line a run", () => {
  report(
    { kind: "recorded", state: "delivered", cards: 3, delayed: 2 },
    { kind: "recorded", state: "delivered", cards: 1, delayed: 0 },
    { kind: "recorded", state: "rejected", cards: 1, delayed: 0 },
    { kind: "recorded", state: "retrying", cards: 2, delayed: 0 },
    { kind: "recorded", state: "undelivered", cards: 5, delayed: 0 },
  );
  expect(published()).toEqual([
    { CardsDelivered: [3, 1], CardsDelayed: 2, CardsRejected: 1, CardsRetrying: 2, CardsUndelivered: 5 },
  ]);
});

test("a run without events writes no line", () => {
  report();
  expect(lines).toEqual([]);
});

test("posts are measured by what their vendor is called here, each with its time and whether the exchange failed", () => {
  report(posted(echo(["2"])), posted(timedOut, 10_000), posted(status(422)), posted(status(503)));
  expect(published()).toEqual([
    { apiSet: "green", ExchangeLatency: [40, 10_000, 40, 40], ExchangeFailures: [0, 1, 0, 1] },
  ]);
});

test.each<[string, PostResult, number]>([
  ["cannot be reached", unconnected, 1],
  ["answers 408", status(408), 1],
  ["answers 429", status(429), 1],
  ["answers 500", status(500), 1],
  ["answers 404", status(404), 0],
  ["answers 409", status(409), 0],
  ["redirects", status(302), 0],
])("an exchange that %s has failed or not: %o", (_, result, failures) => {
  report(posted(result));
  expect(published()).toMatchObject([{ ExchangeFailures: failures }]);
});

test("credentials that the exchange refuses are counted for their vendor, and a card that is answered alike is not", () => {
  report({ kind: "credentialsRefused", apiSet: green });
  expect(published()).toMatchObject([{ apiSet: "green", CredentialsRefused: 1 }]);
  lines.length = 0;
  report(posted(status(403)));
  expect(published().some((figures) => "CredentialsRefused" in figures)).toBe(false);
});

test("credentials that cannot be read are counted for their vendor", () => {
  report({ kind: "noCredentials", apiSet: green });
  expect(published()).toEqual([{ apiSet: "green", CredentialsRefused: 1 }]);
});

test("an answer that is not understood is counted for its vendor", () => {
  report({ kind: "unknownAnswer", apiSet: green, shape: "{Message: string}" });
  expect(published()).toMatchObject([{ apiSet: "green", UnknownAnswers: 1 }]);
});

test("the age of the oldest card that waits is measured", () => {
  report({ kind: "waiting", oldestAt: start });
  expect(published()).toEqual([{ OldestCardAge: 60 }]);
});

test("whoever follows a vendor's request through the logs finds the posts of its cards", () => {
  report(posted(status(503)));
  expect(logged).toMatchObject([{ apiSet: "green", status: 503, cards: 3, requestIds: ["request-1"] }]);
});

test("neither the log nor the figures name a card or a person, whatever happens", () => {
  const answer: PostResult = {
    phase: "after",
    status: 422,
    bodyExcerpt: "Karen Player is unknown",
    echoed: new Set(),
  };
  report(
    posted(answer),
    { kind: "paused", apiSet: green },
    { kind: "resumed", apiSet: green },
    { kind: "unreadable", messages: 2 },
    { kind: "failed", apiSet: green, error: new TableBatchError("scorecards") },
    { kind: "notDrained", error: new Error("throttled") },
    { kind: "notRemoved", messages: 3 },
  );
  expect(logged.map(({ message }) => message)).toEqual([
    "posted to the exchange",
    "delivery paused",
    "delivery resumed",
    "messages cannot be read; they come back",
    "delivery failed; its messages come back",
    "the run could not receive more of the queue",
    "messages were not deleted; they come back",
  ]);
  expect(JSON.stringify([logged, lines])).not.toMatch(/Karen|160575/);
});

test("a run with very many posts names the vendor with each of them", () => {
  report(...Array.from({ length: 250 }, (_, n) => posted(echo([]), n)));
  expect(published().every(({ apiSet }) => apiSet === "green")).toBe(true);
  expect(published().flatMap(({ ExchangeLatency }) => ExchangeLatency)).toEqual(
    Array.from({ length: 250 }, (_, post) => post),
  );
});
