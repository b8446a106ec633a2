import type { CardRecord } from "@scorecard-pipeline/scorecards-client";
import { formatTenThousandths } from "../../base/format.ts";
import { texts } from "../../texts/texts.ts";

/** A Score Differential of the wire, times 10,000, as records show it. */
export const formatDifferential = ({ differential }: CardRecord) =>
  differential === undefined
    ? texts.card.record.noDifferential
    : texts.card.record.differential(formatTenThousandths(differential));
