import fc from "fast-check";
import { expect, test } from "vitest";
import { resultOfSuspect } from "../../../../core/cards/delivery/fault-search.ts";
import {
  type Evidence,
  evidenceSince,
  judge,
  type Verdict,
} from "../../../../core/cards/delivery/verdict.ts";
import { hour } from "../../../durations.ts";
import { green, red, start, storedCard } from "../../memory/stored-card.ts";

const failure = (status: number) => ({ phase: "after", status, message: "" }) as const;
const evidence = (through: number, failed: number): Evidence => ({ through, failed });
const suspected = (suspicion: number): Verdict => ({ kind: "suspected", suspicion });
const unwitnessed: Verdict = { kind: "unwitnessed" };
const rejected: Verdict = { kind: "rejected" };

test.each<[string, number | undefined, number, Evidence, Verdict]>([
  ["nothing went through beside it", undefined, 422, evidence(0, 1), unwitnessed],
  ["it is the first failure beside a success", undefined, 422, evidence(50, 1), suspected(0)],
  ["nothing went through since its last failure", 3, 422, evidence(0, 4), unwitnessed],
  ["one post went through, and only it failed", 0, 422, evidence(1, 1), suspected(Math.log(3))],
  ["it would fail one time in eleven by chance", 2, 422, evidence(9, 1), suspected(2 + Math.log(11))],
  ["five suspects failed, and one post went through", 1, 422, evidence(1, 5), suspected(1 + Math.log(7 / 5))],
  ["its failures are one in 100,000 by chance", Math.log(99_999), 400, evidence(1, 1), rejected],
  ["others went through, whatever the answer is about", 1, 403, evidence(1, 1), suspected(1 + Math.log(3))],
])("of a card that failed alone, if %s, the verdict is right", (_, suspicion, status, seen, verdict) => {
  expect(judge(suspicion, failure(status), seen, hour)).toEqual(verdict);
});

test.each([0, 101, 200, 204, 207, 302, 401, 407, 408, 425, 429, 501, 502, 503, 504, 520, 599])(
  "a card is never rejected by status %i, however often others go through beside it",
  (status) => {
    const answer = status === 0 ? ({ phase: "during", message: "late" } as const) : failure(status);
    expect(judge(undefined, answer, evidence(50, 1), hour)).toEqual(suspected(0));
    expect(judge(11.5, answer, evidence(50, 1), hour)).toEqual(suspected(11.5));
    expect(judge(11.5, answer, evidence(0, 1), hour)).toEqual(unwitnessed);
  },
);

test.each([400, 403, 404, 406, 409, 413, 422, 499])("status %i can mean no", (status) => {
  expect(judge(11.5, failure(status), evidence(50, 1), 0)).toEqual(rejected);
});

test("a card that is answered 500 is rejected after six hours, if it is tried in all of them and others go through", () => {
  const hoursOf = (gap: number) => {
    let suspicion = 0;
    for (let tries = 1; ; tries++) {
      const verdict = judge(suspicion, failure(500), evidence(1000, 1), gap);
      if (verdict.kind === "rejected") return { tries, hours: (tries * gap) / hour };
      if (verdict.kind === "suspected") suspicion = verdict.suspicion;
    }
  };
  expect(hoursOf(5 * 60_000)).toEqual({ tries: 72, hours: 6 });
  expect(hoursOf(3000).hours).toBeCloseTo(6);
  // A pause counts as an hour and a half.
  expect(hoursOf(10 * hour).tries).toBe(4);
});

/** How many failures beside so many others' successes and failures it takes to reject a card. */
function failuresToReject(seen: Evidence): number {
  let suspicion: number | undefined;
  for (let failures = 1; ; failures++) {
    const verdict = judge(suspicion, failure(422), seen, hour);
    if (verdict.kind === "rejected") return failures;
    suspicion = verdict.kind === "suspected" ? verdict.suspicion : suspicion;
  }
}

test("a card is rejected the sooner, the more posts go through beside it", () => {
  expect(failuresToReject(evidence(1, 1))).toBe(12);
  expect(failuresToReject(evidence(10, 1))).toBe(6);
  expect(failuresToReject(evidence(1, 5))).toBe(36);
});

test("an innocent card is rejected once in 100,000 times at most, however many posts fail by chance", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 200 }), (through, failed) => {
      const byChance = failed / (through + failed + 1);
      // The first failure counts nothing.
      expect(byChance ** (failuresToReject(evidence(through, failed)) - 1)).toBeLessThanOrEqual(1.000001e-5);
    }),
  );
});

test("evidence is what was seen after the card's last failure, and of its vendor only", () => {
  const post = (at: number, wentThrough: boolean) => ({ at: start + at, wentThrough });
  const seen = new Map([
    [green, [post(1, true), post(2, false), post(3, true), post(4, false), post(5, false)]],
    [red, [post(2, true), post(6, false)]],
  ]);
  expect(evidenceSince(seen, green, start)).toEqual(evidence(2, 3));
  expect(evidenceSince(seen, green, start + 2)).toEqual(evidence(1, 2));
  expect(evidenceSince(seen, red, start + 2)).toEqual(evidence(0, 1));
});

test("evidence has the failure that is judged, even if the environment has forgotten it", () => {
  expect(evidenceSince(new Map(), green, start)).toEqual(evidence(0, 1));
});

test.each([
  ["for the first time, and took no time, three seconds", 0, 0, undefined, 3000],
  ["and took as long as a post may, twice as long as that", 0, 10_000, undefined, 20_000],
  ["an hour after the first post, a quarter of that", hour, 0, undefined, hour / 4],
  ["days after the first post, two hours", 40 * hour, 0, undefined, 2 * hour],
  ["with Retry-After, as long as that", 0, 0, 120, 120_000],
  ["with a Retry-After of a day, an hour", 0, 0, 86_400, hour],
])("a suspect whose post failed %s, waits", (_, age, milliseconds, retryAfterSeconds, wait) => {
  const now = start + age + 2;
  const posts = [{ version: 1, from: now - age, to: now, posts: 1, answer: "unknown" }] as const;
  const card = storedCard("1", { suspicion: 0, ...(age > 0 && { posts }) });
  const seen = new Map([[green, [{ at: now - 1, wentThrough: true }]]]);
  for (const status of [200, 422, 429, 500, 502, 503]) {
    const failed = { card, failure: failure(status), milliseconds, retryAfterSeconds };
    expect(resultOfSuspect(failed, seen, now), `${status}`).toMatchObject({ kind: "failed", wait });
  }
});
