import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { StandIn } from "../../../../packages/stand-in/stand-in.ts";
import { ask, post, startUnion } from "../start-union.ts";

let union: StandIn;
beforeEach(async () => {
  union = await startUnion({ clubs: 2, members: 2 });
});
afterEach(() => union.stop());

const control = async (path: string, method = "GET", body?: unknown) => {
  const init = { method, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await fetch(`${union.control}${path}`, init);
  return { status: response.status, body: await response.json() };
};
const cards = (count: number) => Array.from({ length: count }, (_, n) => ({ ExternalID: `card-${n}` }));
const statuses = async (count: number) => {
  const answers = await Promise.all(Array.from({ length: count }, () => post(union, cards(1))));
  return Map.groupBy(answers, ({ status }) => status);
};

describe("the control address", () => {
  test("has a port of its own", async () => {
    expect(new URL(union.control).port).not.toBe(new URL(union.address).port);
    expect((await control("/faults")).body).toMatchObject({ outage: false, latencyMilliseconds: 0 });
  });

  test("sets the faults that are put, and ends those that are left out", async () => {
    await control("/faults", "PUT", { failShare: 0.5, outage: true });
    const { body } = await control("/faults", "PUT", { failShare: 0.25 });
    expect(body).toMatchObject({ failShare: 0.25, outage: false });
    expect(union.faults).toEqual(body);
  });

  test("answers a share of the posts with any status, or with a page instead of an echo", async () => {
    await control("/faults", "PUT", { failShare: 1, failStatus: 404 });
    expect((await post(union, cards(1))).status).toBe(404);
    await control("/faults", "PUT", { failShare: 1, failStatus: 200 });
    const page = await post(union, cards(1));
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html"]);
    expect((await control("/received")).body).toEqual([]);
  });

  test.each([{ failShare: 2 }, { failStatus: 302 }, { rain: true }, [1], "outage"])(
    "refuses %j, which is no fault",
    async (body) => {
      expect((await control("/faults", "PUT", body)).status).toBe(400);
      expect(union.faults.failShare).toBe(0);
    },
  );

  test("tells what was received, all of it or by ExternalID", async () => {
    await post(union, cards(3));
    expect((await control("/received")).body).toHaveLength(3);
    expect((await control("/received?externalId=card-1")).body).toMatchObject([
      { apiSet: "acme", card: { ExternalID: "card-1" } },
    ]);
  });

  test("counts requests by endpoint", async () => {
    await ask(union, "/acme/Clubs");
    await post(union, []);
    await post(union, "broken");
    expect((await control("/requests")).body).toMatchObject({ clubs: 1, scorecards: 2, golfer: 0 });
  });

  test("processes what was posted, and counts what vanished by its reason", async () => {
    await post(union, ["no card", ...cards(2)]);
    expect((await control("/process", "POST")).body).toEqual({ processed: 3, vanished: { unreadable: 3 } });
    expect((await control("/processing")).body).toEqual({ processed: 3, vanished: { unreadable: 3 } });
  });

  test("refuses the union's connections for a time, and answers itself meanwhile", async () => {
    await control("/refuse-connections", "POST", { milliseconds: 60_000 });
    await expect
      .poll(() =>
        ask(union, "/acme/Clubs").then(
          () => "answered",
          () => "refused",
        ),
      )
      .toBe("refused");
    expect((await control("/requests")).status).toBe(200);
    await union.acceptConnections();
    expect((await ask(union, "/acme/Clubs")).status).toBe(200);
  });
});

describe("a fault", () => {
  test("outage: every request is answered 503 with a message", async () => {
    union.faults.outage = true;
    expect((await ask(union, "/acme/Clubs")).status).toBe(503);
    const answer = await post(union, cards(1));
    expect([answer.status, typeof answer.body.Message]).toEqual([503, "string"]);
    expect(union.received).toEqual([]);
  });

  test("latency: every answer takes that long", async () => {
    union.faults.latencyMilliseconds = 120;
    const begun = performance.now();
    await ask(union, "/acme/Clubs");
    expect(performance.now() - begun).toBeGreaterThanOrEqual(119);
  });

  test("a share of 500s: those posts take nothing, look-ups go on", async () => {
    union.faults.failShare = 0.5;
    const byStatus = await statuses(60);
    expect([...byStatus.keys()].toSorted()).toEqual([200, 500]);
    expect(union.received).toHaveLength(byStatus.get(200)?.length ?? 0);
    expect(byStatus.get(500)?.length).toBeGreaterThan(10);
    expect((await ask(union, "/acme/Clubs")).status).toBe(200);
  });

  test("a share of look-ups that fail: posts go on", async () => {
    union.faults.readFailShare = 1;
    expect((await ask(union, "/acme/Clubs")).status).toBe(500);
    expect((await post(union, cards(1))).status).toBe(200);
  });

  test("a share of 429s: with Retry-After, and nothing taken", async () => {
    union.faults.throttleShare = 1;
    const answer = await post(union, cards(1));
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(union.received).toEqual([]);
  });

  test("echo losses: cards are missing from the echo, and were not taken", async () => {
    union.faults.echoLossShare = 0.5;
    const { body } = await post(union, cards(60));
    expect(body.length).toBeGreaterThan(10);
    expect(body.length).toBeLessThan(50);
    expect(union.received.map(({ card }) => card)).toEqual(body);
  });

  test("cut connections: nothing is answered, but the cards were taken", async () => {
    union.faults.cutShare = 1;
    await expect(post(union, cards(2))).rejects.toThrow();
    expect(union.received).toHaveLength(2);
  });

  test("may be there from the start", async () => {
    const faulty = await startUnion({ clubs: 1, members: 0, faults: { outage: true } });
    expect((await ask(faulty, "/acme/Clubs")).status).toBe(503);
    await faulty.stop();
  });
});

test("a union that was stopped goes on where it was", async () => {
  await post(union, cards(2));
  const { data, record } = union;
  await union.stop();
  const next = await startUnion({ clubs: 2, members: 2, continues: { data, record } });
  await post(next, [{ ExternalID: "later" }]);
  expect(next.received).toHaveLength(3);
  expect(next.clubs).toEqual(data.clubs);
  await next.stop();
});
