import { mkdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createClient } from "@scorecard-pipeline/scorecards-client";
import type { BrowserContextOptions, Page, ViewportSize } from "playwright-core";
import { settings } from "../lib/settings.ts";
import { hasChromium, launchChromium } from "../local/browser.ts";
import { demoVendors } from "../local/pipeline/demo-accounts.ts";
import { startOneMachine } from "../local/pipeline/one-machine.ts";
import { playSample } from "../local/pipeline/sample-run.ts";
import { synthesize } from "../local/pipeline/synthesize.ts";
import { en } from "../portal/texts/en.ts";
import { en as tables } from "../portal/texts/tables/en.ts";
import { en as tournaments } from "../portal/texts/tournaments/en.ts";
import { writeClubTable } from "./club-table.ts";

/** A picture in docs/pictures: a view of the portal after the sample tournament, or a step of sending a table. */
interface Picture {
  readonly file: string;
  /** From `#` on. Without one, the picture is of the page before, after another step. */
  readonly address?: string;
  /** A text that is there once the view is complete. */
  readonly awaited: string;
  readonly options: BrowserContextOptions & { readonly viewport: ViewportSize };
  /** What a person does there before the picture. */
  readonly go?: (page: Page) => Promise<void>;
}

const desktop: Picture["options"] = { viewport: { width: 1200, height: 800 }, colorScheme: "light" };
const phone: Picture["options"] = { viewport: { width: 390, height: 1180 }, colorScheme: "dark" };

const folder = fileURLToPath(new URL("../docs/pictures", import.meta.url));
if (!hasChromium) throw new Error("There is no Chromium: install it, or name one in CHROMIUM.");

const assembly = fileURLToPath(new URL("../cdk.out", import.meta.url));
await synthesize(assembly, "local");
const machine = await startOneMachine({
  assembly,
  port: 0,
  log: () => undefined,
  progress: () => undefined,
});
const { run, standIn } = machine;
const [vendor] = demoVendors;
if (standIn === undefined || vendor === undefined)
  throw new Error("The local run has no stand-in or no vendor.");
await playSample({
  api: run.api,
  union: settings.test.union,
  standIn,
  out: process.stderr,
  signal: new AbortController().signal,
});

/** A card that has a warning, or any. */
async function cardToShow(account: typeof vendor & object): Promise<string> {
  let first: string | undefined;
  const client = createClient({ api: run.api, ...account });
  for await (const { externalId, warnings = [] } of client.cardsOfDays({ from: today })) {
    if (warnings.length > 0) return externalId;
    first ??= externalId;
  }
  if (first === undefined) throw new Error("The sample has no card.");
  return first;
}

const today = new Date().toISOString().slice(0, 10);
const card = `#/cards/${encodeURIComponent(await cardToShow(vendor))}`;
const clubTable = writeClubTable(standIn);
const pictures: readonly Picture[] = [
  { file: "overview.png", address: "#/", awaited: "Needs attention", options: desktop },
  { file: "card.png", address: card, awaited: "Scorecard", options: desktop },
  {
    file: "refusals.png",
    address: "#/refusals",
    awaited: en.faults.tee_unknown[0] ?? "",
    options: { ...desktop, viewport: { width: 1200, height: 600 } },
  },
  { file: "card-phone.png", address: card, awaited: "Scorecard", options: phone },
  {
    file: "tournament-1-table.png",
    address: "#/send",
    awaited: tables.grid.title,
    options: { ...desktop, viewport: { width: 1200, height: 915 } },
    go: (page) =>
      page.locator("input[type=file]").setInputFiles({
        name: "championship.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(clubTable.text),
      }),
  },
  {
    file: "tournament-2-rows.png",
    awaited: "Row ",
    options: { ...desktop, viewport: { width: 1200, height: 780 } },
    async go(page) {
      await page.getByRole("button", { name: tables.reading.answers["picked-up"] ?? "" }).click();
      await page.getByRole("button", { name: tables.columns.check, disabled: false }).click();
      await page.getByRole("button", { name: tables.send.button("11"), disabled: false }).waitFor();
    },
  },
  {
    file: "tournament-3-sent.png",
    awaited: "Row ",
    options: { ...desktop, viewport: { width: 1200, height: 660 } },
    async go(page) {
      await page.getByLabel("Member No").fill(clubTable.damaged);
      await page.getByLabel("Member No").press("Tab");
      await page.getByRole("button", { name: tables.send.button("12"), disabled: false }).click();
      await page
        .getByRole("dialog")
        .getByRole("button", { name: tables.send.button("12") })
        .click();
      await page.getByText("12 Delivered").waitFor();
      await page.getByRole("link", { name: "Club Championship" }).waitFor();
      await page.evaluate("scrollTo(0, 0)");
    },
  },
  {
    file: "tournament-4-report.png",
    awaited: "Club Championship",
    options: { ...desktop, viewport: { width: 1200, height: 800 } },
    async go(page) {
      await page.getByRole("link", { name: "Club Championship" }).click();
      await page.locator(".tiles").waitFor();
    },
  },
];

/** The page's own texts: other headings are names and codes of the sample. */
const ownTexts = new Set<unknown>();
JSON.stringify([en, tables, tournaments], (_key, text: unknown) => {
  ownTexts.add(text);
  return text;
});

await mkdir(folder, { recursive: true });
const browser = await launchChromium();

/** Signs in, in a page of its own. */
async function open(address: string, options: BrowserContextOptions): Promise<Page> {
  const opened = await (await browser.newContext(options)).newPage();
  await opened.goto(`${run.api}/portal${address}`);
  await opened.getByLabel("User name").fill(vendor?.username ?? "");
  await opened.getByLabel("Password").fill(vendor?.password ?? "");
  await opened.getByRole("button", { name: "Sign in" }).click();
  return opened;
}

/** What a test compares with today's portal, so that no picture shows a former one. */
const views: Record<string, { navigation: string[]; headings: string[] }> = {};
let page: Page | undefined;
for (const { file, address, awaited, options, go } of pictures) {
  page = address === undefined && page ? page : await open(`${address}`, options);
  await page.setViewportSize(options.viewport);
  await go?.(page);
  await page.getByRole("heading", { name: awaited }).first().waitFor();
  await page.screenshot({ path: `${folder}/${file}` });
  const headings = await page.getByRole("heading").allInnerTexts();
  views[file] = {
    navigation: await page.getByRole("banner").getByRole("link").allInnerTexts(),
    headings: [...new Set(headings)].filter((heading) => ownTexts.has(heading)),
  };
}
await writeFile(`${folder}/views.json`, `${JSON.stringify(views, undefined, 2)}\n`);
await browser.close();
await machine.stop();
