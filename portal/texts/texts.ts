import { da } from "./da.ts";
import { en, type Texts } from "./en.ts";
import { chooseLanguage } from "./language.ts";

/** The languages of the portal, by their tag. A union adds its own here, with a file beside en.ts. */
const languages: Readonly<Record<string, Texts>> = { en, da };

const chosen = chooseLanguage(navigator.languages ?? [], Object.keys(languages));

/** The language of the page. */
export const { language } = chosen;
/** How figures and times are written: as where the reader lives, if the page has a language of there. */
export const { locale } = chosen;
/** The page's texts. */
export const texts: Texts = languages[language] ?? en;
