import { en, type Texts } from "./en.ts";

/** The languages of the portal, by their tag. A union adds its own here, with a file beside en.ts. */
const languages: Readonly<Record<string, Texts>> = { en };

/** The first of a reader's languages that the portal has, English if it has none. @param preferred e.g. `["da-DK", "en"]` */
export function chooseLanguage(preferred: readonly string[]): string {
  const known = preferred.map((tag) => tag.split("-")[0] ?? "").find((tag) => tag in languages);
  return known ?? "en";
}

/** The language of the page. */
export const language = chooseLanguage(navigator.languages);
/** How figures and times are written: as where the reader lives, if the page has a language of there. */
export const locale = navigator.languages.find((tag) => tag.split("-")[0] === language) ?? language;
/** The page's texts. */
export const texts: Texts = languages[language] ?? en;
