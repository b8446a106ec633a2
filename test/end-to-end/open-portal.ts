import type { Browser, BrowserContext, BrowserContextOptions, Page, Request } from "playwright-core";
import { onTestFinished } from "vitest";
import { findPageFaults, patience, readOverflow } from "./page-faults.ts";

/** An account as the sign-in form takes it. */
interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The portal in a browser's page, with what it asked for and what its console said. */
export interface OpenPortal {
  readonly page: Page;
  /** Every request of the page. */
  readonly requests: readonly Request[];
  /** Messages of the console, errors, and requests that were refused by the page's policy. */
  readonly complaints: readonly string[];
  signIn(account: Credentials): Promise<void>;
  /** Shows a view. @param address from `#` on */
  show(address: string): Promise<void>;
  /** Pixels by which the page is wider than the window. */
  overflow(): Promise<number>;
  /** What does not fit, and what axe-core finds. */
  faults(): Promise<string[]>;
}

/** A phone of a Danish reader in the dark: what fits there in the longer language fits. */
export const phone = { locale: "da-DK", viewport: { width: 390, height: 844 }, colorScheme: "dark" } as const;

/** A refused request is told in the console; the tests cause some. */
const expected = /status of (401|403|404|409|429|503)/;

/**
 * Opens the portal.
 *
 * @param address from `#` on
 */
export async function openPortal(
  browser: Browser,
  api: string,
  address = "",
  options: BrowserContextOptions = {},
): Promise<OpenPortal> {
  const context = await newContext(browser, options);
  onTestFinished(() => context.close());
  const portal = await portalIn(context, api);
  await portal.show(address);
  return portal;
}

const sessions = new Map<string, Promise<BrowserContext>>();

/**
 * Opens the portal for an account that has signed in before in this worker, in a browser's context that it shares with other tests. So
 * the code is loaded from the cache, and nobody signs in again.
 *
 * @param address from `#` on; if absent nothing is shown before `show`, so that requests can be routed
 */
export async function openSignedIn(
  browser: Browser,
  api: string,
  account: Credentials,
  address?: string,
): Promise<OpenPortal> {
  const key = `${api} ${account.username}`;
  const session = sessions.get(key) ?? signedInContext(browser, api, account);
  sessions.set(key, session);
  const portal = await portalIn(await session, api);
  if (address !== undefined) await portal.show(address);
  return portal;
}

async function signedInContext(browser: Browser, api: string, account: Credentials) {
  const context = await newContext(browser);
  const { show, signIn } = await portalIn(context, api);
  await show("");
  await signIn(account);
  return context;
}

async function newContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
  context.setDefaultTimeout(patience);
  return context;
}

/** A page that shows nothing yet. */
async function portalIn(context: BrowserContext, api: string): Promise<OpenPortal> {
  const page = await context.newPage();
  // An open page goes on asking and drawing while the next tests run.
  onTestFinished(async () => {
    if (page.isClosed()) return;
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await page.close();
  });
  const complaints: string[] = [];
  const requests: Request[] = [];
  page.on("console", (message) => {
    if (!expected.test(message.text())) complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("request", (request) => requests.push(request));
  return {
    page,
    requests,
    complaints,
    async signIn({ username, password }) {
      // By their place in the form, since their names are in the reader's language.
      await page.locator("#username").fill(username);
      await page.locator("#password").fill(password);
      await page.locator("form button[type=submit]").click();
      await page.locator(".who button").waitFor();
    },
    async show(view) {
      if (page.url() === "about:blank") await page.goto(`${api}/portal${view}`);
      else await page.evaluate(`location.hash = ${JSON.stringify(view)}`);
    },
    overflow: () => readOverflow(page),
    faults: () => findPageFaults(page),
  };
}

/** Presses the Tab key, or another one, until the text or the ID of what has the focus is as wanted. */
export async function tabTo(page: Page, isWanted: (focused: string) => boolean, key = "Tab"): Promise<void> {
  for (let tabs = 0; tabs < 60; tabs++) {
    await page.keyboard.press(key);
    const focused = "document.activeElement.id || document.activeElement.textContent.trim()";
    if (isWanted(await page.evaluate<string>(focused))) return;
  }
  throw new Error(`${key} does not reach what is wanted.`);
}
