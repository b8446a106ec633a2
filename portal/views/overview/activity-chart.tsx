import { CardState } from "@scorecard-pipeline/scorecards-client";
import { formatCount } from "../../base/format.ts";
import { locale, texts } from "../../texts/texts.ts";
import type { ChartData, ChartRow } from "./chart-data.ts";

const kinds = ["accepted", CardState.delivered, "refused"] as const;

/** Cards over time, a bar of each kind beside the others. What it shows is also in a table, so it is one picture for a screen reader. */
export function ActivityChart({
  data: { rows, isByDay, timeZone },
  title,
}: {
  readonly data: ChartData;
  readonly title: string;
}) {
  const highest = Math.max(1, ...rows.flatMap((row) => kinds.map((kind) => row[kind])));
  // Hours are in the reader's own time zone, as all times of the portal; days are the union's.
  const time = new Intl.DateTimeFormat(locale, {
    ...{ day: "numeric", month: "short" },
    ...(isByDay ? { timeZone } : { hour: "numeric", minute: "2-digit" }),
  });
  const sums = Object.fromEntries(
    kinds.map((kind) => [kind, rows.reduce((sum, row) => sum + row[kind], 0)]),
  ) as Omit<ChartRow, "at">;
  const describe = (row: Omit<ChartRow, "at">) =>
    kinds.map((kind) => `${texts.overview[kind]} ${formatCount(row[kind])}`).join(", ");
  return (
    <div class="chart" role="img" aria-label={`${title}: ${describe(sums)}`}>
      <p class="quiet">{formatCount(highest)}</p>
      <div class="bars">
        {rows.map((row) => (
          <span key={row.at} title={`${time.format(row.at)}: ${describe(row)}`}>
            {kinds.map((kind) => (
              <i key={kind} class={kind} style={{ height: `${(100 * row[kind]) / highest}%` }} />
            ))}
          </span>
        ))}
      </div>
      <p class="quiet ends">
        <span>{time.format(rows[0]?.at)}</span>
        <span>{time.format(rows.at(-1)?.at)}</span>
      </p>
      <p class="legend">
        {kinds.map((kind) => (
          <span key={kind} class={kind}>
            {texts.overview[kind]} {formatCount(sums[kind])}
          </span>
        ))}
      </p>
    </div>
  );
}
