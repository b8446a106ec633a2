import { expect, test } from "vitest";
import { readGridFile } from "../../../packages/card-files/reading/read-grid-file.ts";
import { hostileFiles, plain } from "./hostile-files.ts";

/** Processor time of this thread. On a busy machine the same file may take four times as much; one read in quadratic time takes minutes. */
function threadSeconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1e6;
}

test.each(hostileFiles)(
  "a workbook with %s is a sentence that says what to do, within seconds",
  async (_, make, said) => {
    const bytes = make();
    const begun = threadSeconds();
    const outcome = await Promise.resolve(bytes)
      .then((read) => readGridFile(read, "club.xlsx"))
      .then(
        ({ sheets }) => (sheets.length === 0 ? "club.xlsx has no rows. Save it as .xlsx" : "read"),
        (error: Error) => error.message,
      );
    expect(threadSeconds() - begun).toBeLessThan(10);
    if (outcome !== "read") expect(outcome).toMatch(said);
    else expect(said).toEqual(/./);
    expect(outcome.length).toBeLessThan(400);
  },
);

test.each([
  [";".repeat(1_000_000), "has 1 rows and 1000001 cells"],
  ["\n".repeat(1_000_000), "has 100001 rows and 100001 cells"],
  [`"1"${"x".repeat(40_000)}`, "has a cell of more than 32767 characters"],
])("a text is split only until it is more than what is read of one", (text, said) => {
  expect(() => readGridFile(new TextEncoder().encode(text), "club.csv")).toThrow(said);
});

test("a workbook of ordinary size is read as it is", () => {
  const { sheets } = readGridFile(plain, "club.xlsx");
  expect(sheets).toEqual([{ name: "A", rows: [["1"]], hidden: [] }]);
});
