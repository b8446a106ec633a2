import type { BrowserContextOptions, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { hasChromium } from "../../local/browser.ts";
import { openPage } from "./open-page.ts";
import { findPageFaults } from "./page-faults.ts";
import { providePipeline, sharedPipeline } from "./pipeline.ts";

const pipeline = await providePipeline(sharedPipeline);

const desktop = { width: 1280, height: 800 };
const phone = { width: 360, height: 740 };

/** Skipped only where there is no browser: install Debian's chromium, or name one in the variable CHROMIUM. */
describe.skipIf(!hasChromium)("in Chromium (none found: install it or set CHROMIUM)", () => {
  const visit = (options: BrowserContextOptions = {}) =>
    openPage(`${pipeline.machine.run.api}/login.aspx`, { viewport: desktop, ...options });

  /** Fills in the form and sends it. */
  async function logIn(page: Page, password?: string): Promise<void> {
    const { account } = pipeline.vendor(0);
    await page.getByLabel("User name").fill(account.username);
    await page.getByLabel("Password").fill(password ?? account.password);
    const loaded = page.waitForEvent("load");
    await page.getByRole("button", { name: "Sign in" }).click();
    await loaded;
  }

  const heading = (page: Page) => page.getByRole("heading", { level: 1 }).textContent();
  // What runs in the page is text: only the browser knows these names.
  const focused = (page: Page) => page.evaluate<string>("document.activeElement.id");

  test("a vendor logs in with the keyboard only, and sees where the focus is", async () => {
    const { page, complaints } = await visit();
    const { username, password } = pipeline.vendor(0).account;
    const stops: string[] = [];
    for (const typed of ["", username, password, ""]) {
      await page.keyboard.press("Tab");
      expect(await page.evaluate("getComputedStyle(document.activeElement).outline")).toContain("solid 3px");
      stops.push(
        await page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()"),
      );
      await page.keyboard.type(typed);
    }
    expect(stops).toEqual(["Skip to the content", "username", "password", "Sign in"]);
    await page.keyboard.press("Enter");
    await expect.poll(() => heading(page)).toBe(`What ${username} may use`);
    expect(complaints).toEqual([]);
  });

  test("a wrong password is said first, and the user name need not be typed again", async () => {
    const { page, complaints } = await visit();
    await logIn(page, "wrong");
    await expect.poll(() => page.title()).toBe("Error: Sign in · Scorecards");
    expect(await page.getByRole("alert").textContent()).toBe("The user name or the password is wrong.");
    expect(await focused(page)).toBe("fault");
    expect(await page.getByLabel("User name").inputValue()).toBe(pipeline.vendor(0).account.username);
    expect(await page.getByLabel("Password").inputValue()).toBe("");
    expect(complaints).toEqual([]);
  });

  test("every resource is a landmark's heading that a link leads to", async () => {
    const { page } = await visit();
    await logIn(page);
    const links = page.getByRole("navigation", { name: "Resources" }).getByRole("link");
    const names = await links.allTextContents();
    for (const name of names.slice(0, -1)) {
      await expect(page.getByRole("region", { name, exact: true }).isVisible()).resolves.toBe(true);
      await links.filter({ hasText: new RegExp(`^${name}$`) }).click();
      await expect(page.getByRole("heading", { level: 2, name, exact: true }).isVisible()).resolves.toBe(
        true,
      );
    }
    expect(names).toHaveLength(7);
  });

  test.each([
    ["a phone in light", phone, "light"],
    ["a desktop in dark", desktop, "dark"],
    ["a narrow window with 200% zoom", { width: 320, height: 480 }, "light"],
  ] as const)("every page fits %s, and axe finds nothing", async (_where, viewport, colorScheme) => {
    const { page, complaints } = await visit({ colorScheme, viewport });
    expect(await findPageFaults(page)).toEqual([]);
    await logIn(page, "wrong");
    expect(await findPageFaults(page)).toEqual([]);
    await logIn(page);
    expect(await findPageFaults(page)).toEqual([]);
    expect(await heading(page)).toContain("may use");
    expect(complaints).toEqual([]);
  });
});
