import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { locale, texts } from "../../texts/texts.ts";
import type { ChartData } from "./chart-data.ts";

const height = 220;

/** Colours and type of the page's style, which change with light and dark. */
function readStyle(element: HTMLElement) {
  const { font, quiet, ...colours } = {
    font: `12px ${getComputedStyle(element).fontFamily}`,
    quiet: readColour(element, "--quiet"),
    line: readColour(element, "--line"),
    accepted: readColour(element, "--chart-accepted"),
    delivered: readColour(element, "--accent"),
    refused: readColour(element, "--fault"),
  };
  return { font, text: quiet, ...colours };
}

/** A canvas does not resolve custom properties, so their values are read from an element. */
function readColour(element: HTMLElement, property: string): string {
  const probe = element.appendChild(document.createElement("span"));
  probe.style.color = `var(${property})`;
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function createOptions(
  element: HTMLElement,
  { isByDay, timeZone, stepSeconds: step }: ChartData,
): uPlot.Options {
  const { text, line, accepted, delivered, refused, font } = readStyle(element);
  const axis = { stroke: text, font, grid: { stroke: line, width: 1 }, ticks: { show: false } };
  const { bars } = uPlot.paths;
  // Accepted cards are a wide bar; on it those delivered are the left half, and those refused the right one.
  const createBars = (label: string, color: string, share: number, align: -1 | 0 | 1): uPlot.Series => ({
    label,
    fill: color,
    stroke: color,
    width: 0,
    points: { show: false },
    value: (_, value: number | null) => (value === null ? "–" : String(value)),
    ...(bars !== undefined && { paths: bars({ size: [share, 48], align }) }),
  });
  // Hours are in the reader's own time zone, as all times of the portal; days are the union's.
  const tick = new Intl.DateTimeFormat(
    locale,
    isByDay ? { timeZone, day: "numeric", month: "short" } : { timeStyle: "short" },
  );
  const date = new Intl.DateTimeFormat(locale, { weekday: "short", day: "numeric" });
  const formatMoment = (at: number) =>
    `${isByDay ? "" : `${date.format(at * 1000)}, `}${tick.format(at * 1000)}`;
  return {
    width: element.clientWidth,
    height,
    cursor: { drag: { x: false, y: false }, points: { show: false } },
    legend: { live: true },
    scales: {
      x: { time: true, range: (_, first, last) => [first - step / 2, last + step / 2] },
      y: { range: (_, __, max) => [0, Math.max(4, max * 1.1)] },
    },
    axes: [
      {
        ...axis,
        space: 72,
        grid: { show: false },
        values: (_, splits, __, ___, increment) =>
          splits.map((at) => (increment >= 86_400 && !isByDay ? date : tick).format(at * 1000)),
      },
      {
        ...axis,
        size: 44,
        incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 1e6],
      },
    ],
    series: [
      {
        label: texts.overview.time,
        value: (_, at) => (at === null ? "–" : formatMoment(isByDay ? at : at - step / 2)),
      },
      createBars(texts.overview.accepted, accepted, 0.84, 0),
      createBars(texts.overview.delivered, delivered, 0.36, -1),
      createBars(texts.overview.refused, refused, 0.36, 1),
    ],
  };
}

/** Accepted, delivered and refused cards over time. What it shows is also in a table, so it is one picture for a screen reader. */
export function ActivityChart({ data, label }: { readonly data: ChartData; readonly label: string }) {
  const element = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const latest = useRef(data);
  latest.current = data;

  useEffect(() => {
    const target = element.current;
    if (target === null) return;
    const draw = () => {
      chart.current?.destroy();
      chart.current = new uPlot(createOptions(target, latest.current), latest.current.columns, target);
    };
    draw();
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", draw);
    const observer = new ResizeObserver(() => chart.current?.setSize({ width: target.clientWidth, height }));
    observer.observe(target);
    return () => {
      dark.removeEventListener("change", draw);
      observer.disconnect();
      chart.current?.destroy();
    };
  }, [data.isByDay, data.timeZone, data.stepSeconds]);

  useEffect(() => chart.current?.setData(data.columns), [data]);

  return <div class="chart" role="img" aria-label={label} ref={element} />;
}
