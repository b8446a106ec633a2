import { beforeEach, expect, test, vi } from "vitest";
import { retryUnprocessed } from "../../../core/aws/retry-unprocessed.ts";

/** Milliseconds of each wait. */
const waits: number[] = [];
vi.mock("node:timers/promises", () => ({
  setTimeout: async (milliseconds: number) => void waits.push(milliseconds),
}));

beforeEach(() => {
  waits.length = 0;
  // The longest waits.
  vi.spyOn(Math, "random").mockReturnValue(1);
});

const limits = { attempts: 6, backoffBase: 50 };

/** A service that leaves parts of a batch unprocessed: of the nth attempt as many entries as the nth number says. */
function service(...left: readonly number[]) {
  const sent: number[][] = [];
  const send = async (entries: readonly number[]) => {
    sent.push([...entries]);
    return entries.slice(entries.length - (left[sent.length - 1] ?? 0));
  };
  return { sent, send };
}

test("only what was left unprocessed is sent again, and nothing waits once all is processed", async () => {
  const { sent, send } = service(3, 1, 0);
  await retryUnprocessed([1, 2, 3, 4], limits, send);
  expect(sent).toEqual([[1, 2, 3, 4], [2, 3, 4], [4]]);
  expect(waits).toEqual([100, 200]);
});

test("after the last attempt what is left is returned without a wait, and waits are at most a second", async () => {
  const { sent, send } = service(1, 1, 1, 1, 1, 1, 0);
  expect(await retryUnprocessed([1], limits, send)).toEqual([1]);
  expect(sent.length).toBe(6);
  expect(waits).toEqual([100, 200, 400, 800, 1000]);
});

test("attempts with progress count, unless they are to reset the count", async () => {
  const batch = [1, 2, 3, 4, 5];
  const each = [4, 3, 2, 1, 0];
  const few = { ...limits, attempts: 2 };
  expect(await retryUnprocessed(batch, few, service(...each).send)).toEqual([3, 4, 5]);
  waits.length = 0;
  await retryUnprocessed(batch, { ...few, progressResets: true }, service(...each).send);
  expect(waits).toEqual([50, 50, 50, 50]);
  const stuck = service(4, 4, 4);
  expect(await retryUnprocessed(batch, { ...few, progressResets: true }, stuck.send)).toEqual([2, 3, 4, 5]);
  expect(stuck.sent.length).toBe(3);
});

test("an error of the request itself is not retried", async () => {
  const send = vi.fn(() => Promise.reject(new TypeError("refused")));
  await expect(retryUnprocessed([1], limits, send)).rejects.toThrow("refused");
  expect(send).toHaveBeenCalledTimes(1);
});
