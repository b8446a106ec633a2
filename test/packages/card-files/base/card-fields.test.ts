import { expect, test } from "vitest";
import {
  courseRating,
  type Fields,
  guid,
  handicapIndex,
  timestamp,
} from "../../../../core/golf/field-forms.ts";
import { fields } from "../../../../core/golf/scorecard.ts";
import {
  cardFields,
  requiredFields,
  type ValueKind,
} from "../../../../packages/card-files/base/card-fields.ts";

function kindOf(form: Fields[string]["form"]): ValueKind {
  if (form.entry !== undefined) return "list";
  if (form === timestamp) return "time";
  if (form === guid) return "guid";
  if (form === handicapIndex || form === courseRating) return "tenThousandths";
  if (form.fits(true)) return "boolean";
  const isNumber = form.bounds !== undefined || (form.fits(1) && !form.fits("1"));
  return isNumber ? "number" : "text";
}

/** Fields with a text in a cell, or one a hole; the holes of a course have several. */
function ofTable(of: Fields, before = ""): [path: string, field: Fields[string]][] {
  return Object.entries(of).flatMap(([name, field]): [string, Fields[string]][] => {
    const { form } = field;
    if (form.fields !== undefined) return ofTable(form.fields, `${before}${name}/`);
    return form.entry?.fields === undefined ? [[`${before}${name}`, field]] : [];
  });
}

test("the fields that a table can have are the card's, in its order and of its kinds", () => {
  const all = ofTable(fields.card).map(([path, { form }]) => [path, kindOf(form)] as const);
  expect([...cardFields]).toEqual(all.filter(([path]) => cardFields.has(path)));
});

test("a table needs the fields that a card needs", () => {
  const needed = ofTable(fields.card).flatMap(([path, { required }]) => (required ? [path] : []));
  expect([...requiredFields].sort()).toEqual(needed.sort());
});
