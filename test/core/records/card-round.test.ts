import { expect, test } from "vitest";
import { type CardRound, contentOf, roundOf } from "../../../core/cards/life/card-content.ts";
import { erasure } from "../../../core/cards/person-data.ts";
import { rowIdentity, rowOf } from "../../../core/records/claimed-rows.ts";
import type { RecordedRound } from "../../../core/union/record-register.ts";
import { storedCard } from "../memory/stored-card.ts";

const card = {
  Round: { StartTime: "20260704T093000" },
  Result: { TotalStrokes: 92, TotalPoints: 33 },
  Player: { UnionID: "1016-100", LifeTimeID: null },
};
const own: CardRound = {
  startTime: "20260704T093000",
  totalStrokes: 92,
  totalPoints: 33,
  unionId: "1016-100",
  lifeTimeId: undefined,
};
const recorded = (given: Partial<RecordedRound> = {}): RecordedRound => ({
  startTime: "20260704T093000",
  totalStrokes: 92,
  totalPoints: 33,
  differential: 246_000,
  ...given,
});

const findRound = (round: CardRound, record: readonly RecordedRound[]) => rowOf("card", round, record, []);

test("a card's round is read from the card as it was delivered", () => {
  expect(roundOf(contentOf(card))).toEqual(own);
});

test("a card whose player was erased has no round", () => {
  const { content } = erasure(
    storedCard("417", { state: "delivered", content: contentOf(card) }),
    { role: "player" },
    () => false,
  ).set;
  expect(content && roundOf(content)).toBeUndefined();
});

test.each(["20260704T093000", "2026-07-04T09:30:00", "2026-07-04T09:30:00.000", "2026-07-04 09:30"])(
  "a round at the card's StartTime is found, though the record writes it %s",
  (startTime) => {
    const round = recorded({ startTime });
    expect(findRound(own, [recorded({ startTime: "20260703T093000" }), round])).toBe(round);
  },
);

test("totals that the record leaves out are no difference", () => {
  const round = recorded({ totalStrokes: undefined, totalPoints: undefined });
  expect(findRound(own, [round])).toBe(round);
});

test("rows at the same time are told apart by tee, totals and differential", () => {
  const differ = [{ tee: "tee" }, { totalStrokes: 91 }, { totalPoints: 32 }, { differential: 245_000 }];
  const rows = [recorded(), ...differ.map(recorded)];
  expect(new Set(rows.map(rowIdentity)).size).toBe(rows.length);
});

test("of two rounds at the same time the one with the card's totals is the card's", () => {
  const round = recorded();
  expect(findRound(own, [recorded({ totalStrokes: 80 }), round])).toBe(round);
});

test("a round at the same time with other totals is told apart from none", () => {
  expect(findRound(own, [recorded({ totalPoints: 34 })])).toBe("otherTotals");
  expect(findRound(own, [recorded({ startTime: "20260704T093001" })])).toBeUndefined();
  expect(findRound(own, [])).toBeUndefined();
});

test("a row is one card's only: of two equal cards and one row, one is found", () => {
  const row = recorded();
  const claim = { card: "first", row: rowIdentity(row) };
  expect(rowOf("first", own, [row], [claim])).toBe(row);
  expect(rowOf("second", own, [row], [claim])).toBeUndefined();
  expect(rowOf("second", own, [row, recorded()], [claim])).toEqual(row);
});

test("a row stays its card's when the union calculates its differential again", () => {
  const claims = [
    { card: "first", row: rowIdentity(recorded()) },
    { card: "second", row: rowIdentity(recorded({ differential: 200_000 })) },
  ];
  const changed = recorded({ differential: 236_000 });
  const other = recorded({ differential: 200_000 });
  expect(rowOf("first", own, [changed, other], claims)).toBe(changed);
  expect(rowOf("second", own, [changed, other], claims)).toBe(other);
  expect(rowOf("third", own, [changed, other], claims)).toBeUndefined();
});

test("a claim of other totals, as before a correction, takes no row away", () => {
  const claims = [{ card: "first", row: rowIdentity(recorded({ totalStrokes: 80 })) }];
  expect(rowOf("second", own, [recorded()], claims)).toEqual(recorded());
});
