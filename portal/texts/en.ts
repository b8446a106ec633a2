import { en as api } from "./api/en.ts";
import { en as card } from "./card/en.ts";
import { en as cards } from "./cards/en.ts";
import faults from "./faults/en.json" with { type: "json" };
import { en as operator } from "./operations/en.ts";
import { en as overview } from "./overview/en.ts";
import { en as page } from "./page/en.ts";
import { en as refusals } from "./refusals/en.ts";
import { en as webhooks } from "./webhooks/en.ts";

/** The portal's texts in English. Another language has a file of its own in each folder, with the same keys. */
export const en = { ...page, overview, cards, card, refusals, faults, webhooks, api, operator };

/** The portal's texts in a language. */
export type Texts = typeof en;
