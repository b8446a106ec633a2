import { expect } from "vitest";
import { drawTable } from "./drawn-table.ts";
import { cardsOf, read } from "./read-cards.ts";

/** What became of a drawn table: right, stopped, or wrong, which must never be. */
async function judge(
  seed: number,
): Promise<{ readonly outcome: "right" | "stopped" | "wrong"; readonly told: string }> {
  const { file, cards, right, answers, drawn } = await drawTable(seed);
  const open = await read(file, cards).catch((error: Error) => error);
  const told = (what: unknown) => `${seed}: ${JSON.stringify(what)} ${drawn.join(" ")}`;
  if (open instanceof Error) return { outcome: "stopped", told: told(open.message) };
  const asked = open.questions.map(({ id }) => id);
  const reading = await read(file, cards, Object.fromEntries(asked.map((id) => [id, answers[id]])));
  // A person answers what is asked; a question that the table has no answer to stops it.
  if (reading.questions.length > 0 || asked.length > 2) return { outcome: "stopped", told: told(asked) };
  const found = cardsOf(reading);
  const isRight =
    found.length === right.length && found.every((card, place) => isSame(card, right[place] ?? {}));
  if (isRight) return { outcome: "right", told: "" };
  const differing = found.findIndex((card, place) => !isSame(card, right[place] ?? {}));
  return { outcome: "wrong", told: told([found.length, right.length, found[differing], right[differing]]) };
}

const isSame = (one: object, other: object) => JSON.stringify(one) === JSON.stringify(other);

/** Expects that tables of these seeds are understood with at most two questions but for 2 %, which are stopped, and that no card is wrong. */
export async function expectUnderstood(first: number, count: number): Promise<void> {
  const judged: Awaited<ReturnType<typeof judge>>[] = [];
  for (let seed = first; seed < first + count; seed += 1) judged.push(await judge(seed));
  const told = (outcome: string) => judged.filter((one) => one.outcome === outcome).map((one) => one.told);
  expect(told("wrong")).toEqual([]);
  expect(told("stopped").length, told("stopped").join("\n")).toBeLessThanOrEqual(count * 0.02);
}
