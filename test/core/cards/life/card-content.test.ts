import { expect, test } from "vitest";
import { contentOf, packedContent } from "../../../../core/cards/life/card-content.ts";

const accepted = contentOf({ ID: "1", Round: { HolesPlayed: 18 } });

test.each([
  ["accepted", accepted],
  ["stored", packedContent(accepted.packed())],
])("the content of an %s card is parsed once, for all that read it", (_, content) => {
  expect(content.card()).toEqual(JSON.parse(content.text()));
  expect(content.card()).toBe(content.card());
});
