import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fetchWithRetries } from "../../../packages/client/fetch-with-retries.ts";
import { createClient } from "../../../packages/client/index.ts";
import { minute } from "../../durations.ts";
import { type FakeApiOptions, fakeApi } from "./fake-api.ts";

const waited = vi.hoisted((): number[] => []);

// No test waits: a pause ends at once and advances the clock.
vi.mock("../../../packages/client/pause.ts", () => ({
  pause: async (milliseconds: number) => {
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

describe("a request to a busy API", () => {
  /** Status of the last response, with a deadline in so many milliseconds. */
  async function asked(milliseconds: number, busy: Busy): Promise<number> {
    await using api = await fakeApi({ judge: () => "accepted", ...busy });
    const deadline = performance.now() + milliseconds;
    return (await fetchWithRetries(api.address, {}, { deadline, fetch })).status;
  }

  test.each([429, 503, 504])("a request that is answered %i is retried after Retry-After", async (status) => {
    expect(await asked(minute, { before: [status, status], retryAfter: "7" })).toBe(200);
    expect(waited).toEqual([7_000, 7_000]);
  });

  test("a request is retried at once if Retry-After is 0", async () => {
    expect(await asked(minute, { before: [503], retryAfter: "0" })).toBe(200);
    expect(waited).toEqual([0]);
  });

  test("a request is not retried if Retry-After is later than the deadline", async () => {
    expect(await asked(6_999, { before: [503], retryAfter: "7" })).toBe(503);
    expect(waited).toEqual([]);
  });

  test("without Retry-After the pauses between retries double", async () => {
    expect(await asked(minute, { before: [503, "lost", 503, 429, 504, 503, 503] })).toBe(200);
    expect(waited).toEqual([200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
  });

  test("a date in Retry-After is ignored", async () => {
    expect(await asked(minute, { before: [503], retryAfter: "Mon, 01 Jun 2026 12:00:00 GMT" })).toBe(200);
    expect(waited).toEqual([200]);
  });
});

describe("following cards", () => {
  async function followed(milliseconds: number, fake: Busy & Pick<FakeApiOptions, "state">) {
    await using api = await fakeApi({ judge: () => "accepted", ...fake });
    const client = createClient({ api: api.address, ...vendor });
    let last = "";
    for await (const { state } of client.follow(["417"], { timeoutSeconds: milliseconds / 1_000 }))
      last = state;
    return last;
  }

  test("following cards pauses for Retry-After, and no longer", async () => {
    const state = (_: string, times: number) => (times === 0 ? "queued" : "delivered");
    expect(await followed(10 * minute, { before: [429, 503], retryAfter: "60", state })).toBe("delivered");
    expect(waited).toEqual([minute, minute, 500]);
  });

  test("following cards polls once more at the deadline if Retry-After is later", async () => {
    expect(await followed(minute, { before: [429], retryAfter: "3600" })).toBe("delivered");
    expect(waited).toEqual([minute]);
  });

  test("the pauses between two polls grow while nothing changes, and are short again after a change", async () => {
    const states = ["queued", "queued", "queued", "retrying", "delivered"];
    const state = (_: string, times: number) => states[times] ?? "asked too often";
    expect(await followed(minute, { state, retryAfter: "60" })).toBe("delivered");
    expect(waited).toEqual([500, 750, 1_125, 500]);
  });
});
