import { type BenchRow, keepsBar } from "./bench-row.ts";

/** A line of the table in docs/performance.md. */
interface ReportedFigure {
  readonly measure: string;
  /** The name that the measure gives its row; other versions of the project may have worded it otherwise. */
  readonly row: RegExp;
  readonly label: string;
}

const figure = (measure: string, row: RegExp, label: string): ReportedFigure => ({ measure, row, label });

const figures: readonly ReportedFigure[] = [
  figure("derive", /^validate, derive and hash it, alone$/, "a full card, validated, derived and hashed"),
  figure("derive", /^alone, against JSON\.parse$/, "the same, against `JSON.parse`"),
  figure("derive", /^of 1,000, against JSON\.parse$/, "of 1,000 cards, against `JSON.parse`"),
  figure("submit", /^100 cards, submitted$/, "100 cards"),
  figure("submit", /^1000 cards, submitted$/, "1,000 cards"),
  figure("submit", /^100 cards, against the bare requests$/, "100 cards, against the bare requests"),
  figure("submit", /^1000 cards, against the bare requests$/, "1,000 cards, against the bare requests"),
  figure("deliver", /^the same$/, "10,000 waiting cards, drained"),
  figure("deliver", /^against bare posts/, "against bare posts and table requests"),
  figure("cost", /^a million cards, in submissions of 100$/, "a million cards, 100 at a time"),
  figure("single", /arrived$/, "single cards, 50 at once, arrived"),
  figure("single", /processor time of functions$/, "processor time of functions"),
  figure("latency", /^10 single .* half$/, "10 single cards a second, arrived, half"),
  figure("latency", /^10 single .* 95 %$/, "10 single cards a second, arrived, 95 %"),
  figure("cost-singly", /^a million cards, 10 a second, fast$/, "a million single cards, 10 a second"),
  figure(
    "recovery",
    /^5 minutes .* after its end$/,
    "last of 600 cards after 5 minutes of refused connections",
  ),
];

/** The measures that take ten minutes together. The others are reported if they are named. */
export const measuresOfReport: readonly string[] = [
  "derive",
  "submit",
  "deliver",
  "cost",
  "single",
  "latency",
];

/** What one measure found, here and, if there is one, in another checkout. */
export interface Reported {
  readonly measure: string;
  readonly rows: readonly BenchRow[];
  readonly others?: readonly BenchRow[];
}

const begin = "<!-- figures: npm run bench -- --report -->";
const end = "<!-- end of figures -->";
const format = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const units: Readonly<Record<string, string>> = { x: "times" };

/**
 * Puts figures into docs/performance.md. Lines of measures that were not run stay, with their commit.
 *
 * @param page its text
 * @param reported what was measured
 * @param commit the commit that was measured
 * @param conditions machine, Node and day, as a sentence
 */
export function reportInto(
  page: string,
  reported: readonly Reported[],
  commit: string,
  conditions: string,
): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/performance.md lacks ${begin} or ${end}: put them back.`);
  const kept = page
    .slice(from, to)
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  const measured = new Map(reported.map((one) => [one.measure, one]));
  const lines = [...new Set(figures.map(({ measure }) => measure))].flatMap((measure) => {
    const one = measured.get(measure);
    return one === undefined
      ? kept.filter((line) => line.startsWith(`| \`${measure}\` |`))
      : formatLines(one, commit);
  });
  const table = [
    begin,
    conditions,
    "",
    "| measure | what | figure | other checkout | bar | commit |",
    "| --- | --- | --- | --- | --- | --- |",
    ...lines,
    "",
  ].join("\n");
  return page.slice(0, from) + table + page.slice(to);
}

function formatLines({ measure, rows, others = [] }: Reported, commit: string): string[] {
  return figures
    .filter((one) => one.measure === measure)
    .map(({ row: name, label }) => {
      const row = rows.find((one) => name.test(one.name));
      if (row === undefined) throw new Error(`${measure} has no row ${name}: name it in bench/report.ts.`);
      const other = others.find((one) => name.test(one.name));
      const cells = [
        `\`${measure}\``,
        label,
        formatValue(row),
        other ? formatValue(other) : "",
        formatBar(row),
      ];
      return `| ${[...cells, `\`${commit}\``].join(" | ")} |`;
    });
}

const formatValue = ({ value, unit }: BenchRow) => `${format.format(value)} ${units[unit] ?? unit}`.trim();

function formatBar(row: BenchRow): string {
  const { bar, atLeast } = row;
  const limit = bar !== undefined ? `≤ ${bar}` : atLeast !== undefined ? `≥ ${atLeast}` : "";
  return keepsBar(row) ? limit : `${limit}, **missed**`;
}
