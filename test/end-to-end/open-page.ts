import type { BrowserContextOptions } from "playwright-core";
import { onTestFinished } from "vitest";
import { sharedChromium } from "../../local/browser.ts";
import { patience } from "./page-faults.ts";

/** Opens an address with cookies of its own. @returns the page, what it requests, and all complaints but that a response was 401 */
export async function openPage(address: string, options: BrowserContextOptions = {}) {
  const browser = await sharedChromium();
  const context = await browser.newContext(options);
  context.setDefaultTimeout(patience);
  onTestFinished(() => context.close());
  const page = await context.newPage();
  const requested: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => requested.push(request.url()));
  page.on("requestfailed", (request) => complaints.push(`not loaded: ${request.url()}`));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (!message.text().includes("status of 401")) complaints.push(message.text());
  });
  await page.goto(address);
  return { page, requested, complaints };
}
