import { language } from "../texts.ts";
import { da } from "./da.ts";
import { en, type TournamentTexts } from "./en.ts";

const languages: Readonly<Record<string, TournamentTexts>> = { en, da };

/** The texts of the tournaments in the language of the page. */
export const words: TournamentTexts = languages[language] ?? en;
