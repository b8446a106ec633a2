import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

/** Milliseconds that a browser has for a step: only what never comes takes so long. */
export const patience = 240_000;

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Pixels by which a page is wider than its window. */
export const readOverflow = (page: Page): Promise<number> =>
  page.evaluate<number>(
    "Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)",
  );

/** What does not fit a page's window, and what axe-core calls a violation. @param within what axe-core looks at, as a CSS selector */
export async function findPageFaults(page: Page, within = "html"): Promise<string[]> {
  const beyond = await readOverflow(page);
  // Put in by the test from outside, so that the page's own policy stays in force.
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(${JSON.stringify(within)}, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      // The selectors of all that is right take most of the time on a long page.
      resultTypes: ["violations"],
      // Only of media, which no page has, the files are looked into.
      preload: false,
    })`,
  );
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  return beyond > 0 ? [`${beyond} pixels wider than the window`, ...found] : found;
}
