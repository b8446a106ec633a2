import { language } from "../texts.ts";
import { da } from "./da.ts";
import { en, type TableViewTexts } from "./en.ts";

const languages: Readonly<Record<string, TableViewTexts>> = { en, da };

/** The texts of sending a table in the language of the page. */
export const words: TableViewTexts = languages[language] ?? en;
