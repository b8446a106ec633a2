import Table from "cli-table3";
import type { PlayResult } from "./play.ts";

const maxUnexpectedShown = 20;

/** A table of a sample's results, as text without colours, with a list of unexpected outcomes below it. */
export function resultTable(result: PlayResult): string {
  const seconds = result.milliseconds / 1_000;
  const table = new Table({ style: { head: [], border: [] }, colAligns: ["left", "right"] });
  const refused = Object.entries(result.refused).sort(([one], [other]) => one.localeCompare(other));
  table.push(
    ["Submitted", result.submitted],
    ["Accepted", result.accepted],
    ...refused.map(([code, cards]) => [`Refused: ${code}`, cards]),
    ["Delivered", result.delivered],
    ...Object.entries(result.warned).map(([code, cards]) => [`Delivered with a warning: ${code}`, cards]),
    ["Not as expected", result.unexpected.length],
    ["Time", `${seconds.toFixed(1)} s`],
    ["Delivered a second", seconds > 0 ? Math.round(result.delivered / seconds) : 0],
  );
  const shown = result.unexpected.slice(0, maxUnexpectedShown);
  const left = result.unexpected.length - shown.length;
  const lines = shown.map(
    ({ externalId, expected, got }) => `${externalId}: expected ${expected}, got ${got}`,
  );
  return [table.toString(), ...lines, ...(left > 0 ? [`and ${left} more`] : [])].join("\n");
}
