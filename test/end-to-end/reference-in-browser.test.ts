import { gzipSync } from "node:zlib";
import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasChromium } from "../../local/browser.ts";
import { openPage } from "./open-page.ts";
import { findPageFaults } from "./page-faults.ts";
import { providePipeline, sharedPipeline } from "./pipeline.ts";

const pipeline = await providePipeline(sharedPipeline);

test("the reference is there for everybody in at most 60 KB, names the address that was asked, and runs no script", async () => {
  const { status, headers, text } = await pipeline.ask("GET", "reference");
  expect(status).toBe(200);
  expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(headers.get("content-security-policy")).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
  );
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("cache-control")).toBe("public, max-age=300");
  expect(headers.get("set-cookie")).toBeNull();
  expect(text).toContain(`Base address: <code>${pipeline.machine.run.api}</code>`);
  expect(text).toContain(`&#39;${pipeline.machine.run.api}/greens-app/Clubs`);
  expect(text).not.toContain("scorecards.example/production/");
  expect(headers.get("content-encoding")).toBe("gzip");
  expect(gzipSync(text).byteLength).toBeLessThan(60_000);
});

/** Skipped only where there is no browser: install Debian's chromium, or name one in the variable CHROMIUM. */
describe.skipIf(!hasChromium)("in Chromium (none found: install it or set CHROMIUM)", () => {
  const visit = (options: BrowserContextOptions) =>
    openPage(`${pipeline.machine.run.api}/reference`, options);

  const desktop = { width: 1280, height: 800 };
  const phone = { width: 390, height: 844 };

  const isInView = (page: Page, id: string) =>
    page.evaluate<boolean>(
      `(({ top }) => top >= 0 && top < innerHeight)(document.getElementById("${id}").getBoundingClientRect())`,
    );

  test("a vendor finds a request, its card's fields and an example with the keyboard only", async () => {
    const { page, complaints, requested } = await visit({ viewport: desktop });
    const focused = () => page.evaluate<string>("document.activeElement.textContent.trim()");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to the content");
    expect(await page.evaluate("getComputedStyle(document.activeElement).outline")).toContain("solid 3px");
    for (let steps = 0; (await focused()) !== "Submit scorecards"; steps += 1) {
      expect(steps).toBeLessThan(10);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await expect.poll(() => isInView(page, "submitScorecards")).toBe(true);
    const request = page.locator("#submitScorecards");
    const example = request.locator("pre", { hasText: "IsQualifying" }).first();
    expect(await example.isVisible()).toBe(false);
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Scorecard");
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Example: Required fields only");
    await page.keyboard.press("Enter");
    await expect.poll(() => example.isVisible()).toBe(true);
    await request.getByRole("link", { name: "Scorecard", exact: true }).click();
    await expect.poll(() => isInView(page, "schema-Scorecard")).toBe(true);
    expect(complaints).toEqual([]);
    expect(requested).toEqual([`${pipeline.machine.run.api}/reference`]);
  });

  test("on a phone the contents are a few lines, and each section begins with its requests", async () => {
    const { page } = await visit({ viewport: phone, hasTouch: true, isMobile: true });
    const contents = page.getByRole("navigation", { name: "Contents" });
    expect((await contents.boundingBox())?.height).toBeLessThan(phone.height / 2);
    await contents.getByRole("link", { name: "Scorecards", exact: true }).tap();
    await expect.poll(() => isInView(page, "section-scorecards")).toBe(true);
    await page.locator(".index").getByRole("link", { name: "Submit scorecards", exact: true }).tap();
    await expect.poll(() => isInView(page, "submitScorecards")).toBe(true);
  });

  test.each([
    ["a desktop in light", desktop, "light", "details.none", "html"],
    // All requests and schemas are drawn alike, and axe-core needs half a minute for all examples.
    [
      "a phone in dark, with the examples of one request and one schema open",
      phone,
      "dark",
      "#submitScorecards details, #schema-Scorecard details",
      "#submitScorecards, #schema-Scorecard, nav, .index",
    ],
  ] as const)("it fits %s, and axe finds nothing", async (_where, viewport, colorScheme, opened, within) => {
    const { page, complaints } = await visit({ viewport, colorScheme });
    await page.evaluate(`document.querySelectorAll("${opened}").forEach((one) => { one.open = true; })`);
    expect(await findPageFaults(page, within)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
