import { expect, test } from "vitest";
import { changeCard } from "../../../../core/cards/delivery/plan.ts";
import { RefusalError } from "../../../../core/golf/refusal.ts";

/** A number in place of a card: a write sets it, unless others change it first. */
function numberChangedBy(others: number) {
  let stored = 0;
  let remaining = others;
  const requests = { reads: 0, writes: 0 };
  const access = {
    read: async () => {
      requests.reads++;
      return stored;
    },
    write: async ({ from, to }: { readonly from: number; readonly to: number }) => {
      requests.writes++;
      if (remaining-- > 0) stored += 10;
      if (stored !== from) return false;
      stored = to;
      return true;
    },
  };
  return { access, requests, stored: () => stored };
}

const addOne = (from: number) => ({ change: { from, to: from + 1 }, result: from + 1 });

test("a card that nobody else changes is written once, and not read again", async () => {
  const { access, requests, stored } = numberChangedBy(0);
  expect([await changeCard(0, access, addOne), stored()]).toEqual([1, 1]);
  expect(requests).toEqual({ reads: 0, writes: 1 });
});

test("a card that others change first is read and decided again, and their changes stay", async () => {
  const { access, requests, stored } = numberChangedBy(3);
  expect([await changeCard(0, access, addOne), stored()]).toEqual([31, 31]);
  expect(requests).toEqual({ reads: 3, writes: 4 });
});

test("a card that others keep changing is given up after four writes", async () => {
  const { access, requests } = numberChangedBy(Number.POSITIVE_INFINITY);
  await expect(changeCard(0, access, addOne)).rejects.toThrow(RefusalError);
  expect(requests.writes).toBe(4);
});

test("a decision without a change writes nothing, and one that throws is not caught", async () => {
  const { access, requests } = numberChangedBy(0);
  expect(await changeCard(7, access, (card) => ({ result: card }))).toBe(7);
  const refuse = () => {
    throw new Error("too late");
  };
  await expect(changeCard(7, access, refuse)).rejects.toThrow("too late");
  expect(requests).toEqual({ reads: 0, writes: 0 });
});
