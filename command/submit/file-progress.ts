import type { ProgressState } from "../../local/progress-display.ts";
import type { CardFile } from "./card-file.ts";

/** Progress by the share of a file that was read. @param text shown beside the bar */
export function fileProgress(
  { size, bytesRead }: Pick<CardFile, "size" | "bytesRead">,
  text: string,
): ProgressState {
  const tenths = Math.floor((10 * bytesRead()) / Math.max(1, size));
  return {
    done: bytesRead(),
    total: size,
    text,
    line: `${tenths * 10}% of the file: ${text}`,
    step: tenths,
  };
}
