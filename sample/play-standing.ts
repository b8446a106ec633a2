import type { Standing } from "../client/progress-display.ts";
import type { PlayProgress } from "./play.ts";

/** How a sample's progress is shown: by the cards that have met their fate. */
export function playStanding({ submitted, accepted, refused, delivered, total }: PlayProgress): Standing {
  const settled = refused + delivered;
  return {
    done: settled,
    whole: total,
    words: `submitted ${submitted}/${total} | refused ${refused} | delivered ${delivered}`,
    line: `Submitted ${submitted} of ${total} cards: ${accepted} accepted, ${refused} refused, ${delivered} delivered`,
    // One for the first answer, ten for submitting, ten for what becomes of it.
    step: 1 + Math.floor((10 * submitted) / total) + Math.floor((10 * settled) / total),
  };
}
