import { da as api } from "./api/da.ts";
import { da as card } from "./card/da.ts";
import { da as cards } from "./cards/da.ts";
import type { Texts } from "./en.ts";
import faults from "./faults/da.json" with { type: "json" };
import { da as operator } from "./operations/da.ts";
import { da as overview } from "./overview/da.ts";
import { da as page } from "./page/da.ts";
import { da as refusals } from "./refusals/da.ts";
import { da as webhooks } from "./webhooks/da.ts";

/** The portal's texts in Danish. */
export const da: Texts = { ...page, overview, cards, card, refusals, faults, webhooks, api, operator };
