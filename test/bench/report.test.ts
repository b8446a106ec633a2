import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { reportInto } from "../../bench/report.ts";

const page = readFileSync("docs/performance.md", "utf8");
const latency = {
  measure: "latency",
  rows: [
    { name: "10 single cards a second, arrived, half", value: 27.94, unit: "ms", bar: 100 },
    { name: "10 single cards a second, arrived, 95 %", value: 312.4, unit: "ms", bar: 250 },
  ],
  others: [{ name: "10 single cards a second, arrived, half", value: 30, unit: "ms", bar: 100 }],
};
const linesOf = (text: string) => text.split("\n").filter((line) => line.startsWith("| `"));

test("a report states each figure with its bar, whether it missed it, and the commit", () => {
  const written = linesOf(reportInto(page, [latency], "abc1234", "Newest run."));
  expect(written.filter((line) => line.includes("`latency`")).slice(0, 2)).toEqual([
    "| `latency` | 10 single cards a second, arrived, half | 27.9 ms | 30 ms | ≤ 100 | `abc1234` |",
    "| `latency` | 10 single cards a second, arrived, 95 % | 312 ms |  | ≤ 250, **missed** | `abc1234` |",
  ]);
});

test("a report leaves the figures of other measures, and the rest of the page, as they are", () => {
  const written = reportInto(page, [latency], "abc1234", "Newest run.");
  const others = (text: string) => linesOf(text).filter((line) => !line.includes("`abc1234`"));
  const before = linesOf(page).filter((line) => !line.startsWith("| `latency` | 10"));
  expect(others(written)).toEqual(before);
  expect(before.length).toBeGreaterThan(10);
  expect(written.split("<!-- end of figures -->")[1]).toBe(page.split("<!-- end of figures -->")[1]);
});

test("a figure that a measure no longer has stops the report, so that none vanishes silently", () => {
  expect(() => reportInto(page, [{ measure: "latency", rows: [] }], "abc1234", "Newest run.")).toThrow(
    "bench/report.ts",
  );
});
