import type { Standing } from "../../client/progress-display.ts";
import type { CardFile } from "./card-file.ts";
import type { SubmitCounts } from "./submit-file.ts";

/** How a file's progress is shown: by how much of it was read. */
export function submitStanding(
  { size, bytesRead }: Pick<CardFile, "size" | "bytesRead">,
  { accepted, acceptedBefore, refused }: SubmitCounts,
): Standing {
  const before = acceptedBefore > 0 ? `, ${acceptedBefore} accepted before` : "";
  const words = `${accepted} accepted, ${refused} refused${before}`;
  const tenths = Math.floor((10 * bytesRead()) / Math.max(1, size));
  return {
    done: bytesRead(),
    whole: size,
    words,
    line: `${tenths * 10}% of the file: ${words}`,
    step: tenths,
  };
}
