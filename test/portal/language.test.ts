import { expect, test } from "vitest";
import { chooseLanguage } from "../../portal/texts/language.ts";

test.each([
  [["en-GB", "da"], "en", "en-GB"],
  [["sv", "da-DK", "en"], "da", "da-DK"],
  [["tlh", "en"], "en", "en"],
  [["en-US@posix"], "en", "en-US"],
  [["da_DK.UTF-8"], "da", "da-DK"],
  [["C", "not a tag", ""], "en", "en"],
  [["xx"], "en", "en"],
  [[], "en", "en"],
  [["constructor"], "en", "en"],
])("a reader whose browser prefers %j reads %s, with figures as in %s", (preferred, language, locale) => {
  const chosen = chooseLanguage(preferred, ["en", "da"]);
  expect(chosen).toEqual({ language, locale });
  expect(() => new Intl.NumberFormat(chosen.locale)).not.toThrow();
});
