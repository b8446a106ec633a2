import { expect, test } from "vitest";
import * as api from "../../../../core/formats/external-ids.ts";
import { externalIdOf, maxExternalIdLength } from "../../../../packages/card-files/base/external-id.ts";

test("a card of a file is named as the API names it", () => {
  const names = [
    "a",
    "æ-417",
    "a".repeat(maxExternalIdLength),
    "",
    "a".repeat(maxExternalIdLength + 1),
    "\ud800",
    "caf\ufffd",
    417,
    null,
  ];
  const cards = [...names.map((ExternalID) => ({ ExternalID })), {}, null];
  expect(cards.map(externalIdOf)).toEqual(cards.map(api.externalIdOf));
  expect(cards.filter((card) => externalIdOf(card) !== undefined)).toHaveLength(3);
});
