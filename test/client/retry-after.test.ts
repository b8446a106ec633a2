import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { followCards } from "../../client/follow-cards.ts";
import { patientFetch } from "../../client/patient-fetch.ts";
import { type FakeApiOptions, fakeApi } from "./fake-api.ts";

const waited = vi.hoisted((): number[] => []);

// Nobody waits: whoever wants to is told at once that the time has passed.
vi.mock("node:timers/promises", () => ({
  setTimeout: async (milliseconds: number) => {
    waited.push(milliseconds);
    vi.advanceTimersByTime(milliseconds);
  },
}));
beforeEach(() => {
  waited.length = 0;
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

type Busy = Pick<FakeApiOptions, "before" | "retryAfter">;
const vendor = { username: "greens", password: "secret", apiSet: "greens" };
const minute = 60_000;

describe("an API that is busy is asked again", () => {
  /** What comes of asking it, with so many milliseconds to spare. */
  async function asked(milliseconds: number, busy: Busy): Promise<number> {
    await using api = await fakeApi({ judge: () => "accepted", ...busy });
    const { signal } = new AbortController();
    return (await patientFetch(api.address, {}, performance.now() + milliseconds, signal)).status;
  }

  test.each([429, 503, 504])("when it says, where it answers %i", async (status) => {
    expect(await asked(minute, { before: [status, status], retryAfter: "7" })).toBe(200);
    expect(waited).toEqual([7_000, 7_000]);
  });

  test("at once, where it says so", async () => {
    expect(await asked(minute, { before: [503], retryAfter: "0" })).toBe(200);
    expect(waited).toEqual([0]);
  });

  test("and not before, even where there is time for that only", async () => {
    expect(await asked(6_999, { before: [503], retryAfter: "7" })).toBe(503);
    expect(waited).toEqual([]);
  });

  test("later and later, where it does not say when", async () => {
    expect(await asked(minute, { before: [503, "lost", 503, 429, 504, 503, 503] })).toBe(200);
    expect(waited).toEqual([200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  });

  test("soon, where it says so as a date", async () => {
    expect(await asked(minute, { before: [503], retryAfter: "Mon, 01 Jun 2026 12:00:00 GMT" })).toBe(200);
    expect(waited).toEqual([200]);
  });
});

describe("whoever follows cards", () => {
  async function followed(milliseconds: number, fake: Busy & Pick<FakeApiOptions, "state">) {
    await using api = await fakeApi({ judge: () => "accepted", ...fake });
    const statuses = await followCards({
      api: api.address,
      vendor,
      externalIds: ["417"],
      deadline: performance.now() + milliseconds,
      onChange: () => undefined,
      signal: new AbortController().signal,
    });
    return statuses.get("417")?.state;
  }

  test("leaves an API that is busy alone for as long as it says, and no longer", async () => {
    const state = (_: string, times: number) => (times === 0 ? "queued" : "delivered");
    expect(await followed(10 * minute, { before: [429, 503], retryAfter: "60", state })).toBe("delivered");
    expect(waited).toEqual([minute, minute, 500]);
  });

  test("asks it once more before giving up, where it says longer than that", async () => {
    expect(await followed(minute, { before: [429], retryAfter: "3600" })).toBe("delivered");
    expect(waited).toEqual([minute]);
  });

  test("asks less and less often while nothing changes, and soon again after an answer", async () => {
    const states = ["queued", "queued", "queued", "retrying", "delivered"];
    const state = (_: string, times: number) => states[times] ?? "asked too often";
    expect(await followed(minute, { state, retryAfter: "60" })).toBe("delivered");
    expect(waited).toEqual([500, 750, 1_125, 500]);
  });
});
