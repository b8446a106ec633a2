import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { reassessRefused } from "../../../core/cards/reassess-refused.ts";
import { guidKey } from "../../../core/formats/identifiers.ts";
import { assessSubmission } from "../../../core/golf/assess.ts";
import type { SecondRead } from "../../../core/register/read-refused.ts";
import { fullCard } from "../golf/sample-cards.ts";
import { red, redId, tee, templateId, version } from "../golf/sample-courses.ts";

const before = [version({ Tees: [tee()] })];
const after = [version({ Tees: [tee(), red()] })];
const context = {
  apiSet: "green" as ApiSet,
  now: new Date("2025-07-01T12:00:00Z"),
  timeZone: "Europe/Copenhagen",
  country: "DK",
  highestHandicapIndex: 72,
  courses: (id: string) => (guidKey(id) === templateId ? before : undefined),
};
const onNewTee = () => {
  const card = fullCard();
  const { TeePar: _par, TeeRating: _rating, TeeSlope: _slope, Holes: _holes, ...Course } = card.Course;
  return { ...card, Course: { ...Course, TeeID: redId, TeeName: "Red" } };
};

/** Assesses a card on the new tee twice, with what a second look at the union gives. */
async function reassessed(change: (key: string) => Partial<SecondRead>) {
  const cards = [onNewTee()];
  const first = assessSubmission(cards, context);
  let looks = 0;
  const lookAgain = async ([reference]: readonly { readonly key: string }[]): Promise<SecondRead> => {
    looks++;
    const nothing = { found: new Map(), unanswered: new Set<string>() };
    return { ...nothing, ...change(reference?.key ?? "") };
  };
  const { assessments, undecided } = await reassessRefused(cards, first, context, { lookAgain }, 0);
  const codes = assessments.flatMap((one) => (one.good ? [] : one.faults.map(({ code }) => code)));
  return { first: first[0], codes, refusal: undecided?.refusal, looks };
}

test("a card on a tee that the union has just added is accepted, once the union was looked at again", async () => {
  const { first, codes, refusal, looks } = await reassessed(() => ({
    found: new Map([[guidKey(templateId), after]]),
  }));
  expect(first).toMatchObject({ good: false, faults: [{ code: "tee_unknown" }] });
  expect([codes, refusal, looks]).toEqual([[], undefined, 1]);
});

test("a card on a tee that the union does not have either is refused for good", async () => {
  expect((await reassessed(() => ({}))).codes).toEqual(["tee_unknown"]);
});

test("a card on an unknown tee is answered with Retry-After if the union does not answer", async () => {
  const { codes, refusal } = await reassessed((key) => ({ unanswered: new Set([key]) }));
  expect([codes, refusal]).toMatchObject([[], { kind: "unavailable", retryAfterSeconds: 30 }]);
});
