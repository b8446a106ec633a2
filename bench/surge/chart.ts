import { importAtFour } from "./arrivals.ts";
import { playDay } from "./scenarios.ts";

/** A line of the chart: what a vendor's cards waited, in seconds, by when they came in. */
interface Line {
  readonly label: string;
  readonly colour: string;
  readonly dashes: string;
  readonly points: readonly (readonly [at: number, wait: number])[];
}

const width = 860;
const height = 380;
const edge = { left: 60, right: 40, top: 50, bottom: 50 };
const four = 16 * 3_600;
const [from, to] = [four - 60, four + 120];
/** Seconds between two lines of the waits. */
const step = 20;

const vendors = 13;
const cards = 98_361;

function lineOf(fair: boolean): Line {
  const arrivals = importAtFour(vendors, cards);
  const { waits } = playDay({ arrivals }, fair);
  const points = arrivals
    .slice(1)
    .flatMap(({ vendor, at }) =>
      Array.from(at, (time, card): [number, number] => [time, waits.get(vendor)?.[card] ?? 0]),
    )
    .filter(([time]) => time >= from && time <= to)
    .sort(([one], [other]) => one - other);
  return fair
    ? { label: "the other twelve vendors, with fair queues", colour: "#1a7f5a", dashes: "", points }
    : { label: "the same, without", colour: "#b3541e", dashes: "6 4", points };
}

/** The chart of docs/performance.md: waits of the other vendors while one sends half of the largest day at once. @returns SVG */
export function surgeChart(): string {
  const lines = [lineOf(true), lineOf(false)];
  const most =
    Math.ceil(Math.max(...lines.flatMap(({ points }) => points.map(([, wait]) => wait))) / step) * step;
  const x = (time: number) => edge.left + ((time - from) / (to - from)) * (width - edge.left - edge.right);
  const y = (wait: number) => height - edge.bottom - (wait / most) * (height - edge.top - edge.bottom);
  const text = (at: readonly [number, number], content: string, anchor = "middle") =>
    `<text x="${at[0]}" y="${at[1]}" text-anchor="${anchor}">${content}</text>`;

  const waitMarks = Array.from({ length: most / step + 1 }, (_, mark) => mark * step);
  const minuteMarks = [-1, 0, 1, 2];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="13" fill="#333" role="img" aria-label="Waiting times when one vendor sends half a day's cards at once">
<rect width="${width}" height="${height}" fill="#fff"/>
${text([edge.left, 22], `One vendor sends ${Math.round(cards / 2).toLocaleString("en")} cards at four o'clock: how long do the others' cards wait?`, "start")}
${waitMarks.map((wait) => `<path d="M${edge.left} ${y(wait)}H${width - edge.right}" stroke="#ddd"/>${text([edge.left - 8, y(wait) + 4], `${wait} s`, "end")}`).join("\n")}
${minuteMarks.map((minute) => text([x(four + minute * 60), height - edge.bottom + 20], minute === 0 ? "16:00" : `${minute > 0 ? "+" : "−"}${Math.abs(minute)} min`)).join("\n")}
${lines.map(({ points, colour, dashes }) => `<polyline fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="${dashes}" points="${points.map(([time, wait]) => `${x(time).toFixed(1)},${y(wait).toFixed(1)}`).join(" ")}"/>`).join("\n")}
${lines.map(({ label, colour, dashes }, index) => `<path d="M${edge.left + 20} ${edge.top + 8 + index * 20}h30" stroke="${colour}" stroke-width="2" stroke-dasharray="${dashes}"/>${text([edge.left + 58, edge.top + 12 + index * 20], label, "start")}`).join("\n")}
${text([(edge.left + width) / 2, height - 8], "when a card came in")}
</svg>
`;
}
