import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { read, utils, type WorkSheet, write } from "@e965/xlsx";
import type { Browser, Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hasChromium, sharedChromium } from "../../local/browser.ts";
import { minimalCard, playableTee } from "../../local/pipeline/minimal-card.ts";
import { da } from "../../portal/texts/da.ts";
import { en } from "../../portal/texts/en.ts";
import { da as danish } from "../../portal/texts/tables/da.ts";
import { en as words } from "../../portal/texts/tables/en.ts";
import { openPortal, openSignedIn, phone, tabTo } from "./open-portal.ts";
import { type Pipeline, readPages, sharedPipelineWithNewVendors, type Vendor } from "./pipeline.ts";

/** The cards of a submission, which is gzipped. */
const cardsOf = (submission: Request) =>
  JSON.parse(gunzipSync(submission.postDataBuffer() ?? Buffer.alloc(0)).toString()) as {
    ExternalID: string;
  }[];

describe.skipIf(!hasChromium)("in Chromium (none found: install it or set CHROMIUM)", () => {
  let pipeline: Pipeline;
  let browser: Browser;
  let vendor: Vendor;
  let api: string;
  let folder: string;

  beforeAll(async () => {
    [pipeline, browser] = await Promise.all([sharedPipelineWithNewVendors(), sharedChromium()]);
    api = pipeline.machine.run.api;
    vendor = pipeline.vendor(0);
    folder = await mkdtemp(join(tmpdir(), "scorecards-tables-"));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await pipeline?.stop();
  });

  const holes = Array.from({ length: 18 }, (_, hole) => `Hole ${hole + 1}`);
  const header = [
    "Card",
    "Player",
    "Member No",
    "Handicap Index",
    "Course Handicap",
    "Start",
    "Tee ID",
    "Marker",
    "Round",
    ...holes,
  ];
  type Cells = Record<string, string>;

  /** The row of a card without a fault, as a club's spreadsheet has it. */
  function row(card: string): Cells {
    const { Course, CourseHandicap, HCP, Player, Marker, Result, Round } = minimalCard(pipeline.standIn, {
      ExternalID: card,
    });
    const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(Round.StartTime) ?? [];
    return {
      Card: card,
      Player: `Player of ${card}`,
      "Member No": Player.UnionID,
      "Handicap Index": String(Number(HCP) / 10_000),
      "Course Handicap": String(CourseHandicap),
      Start: `${day}.${month}.${year} 08:10`,
      "Tee ID": Course.TeeID,
      Marker: Marker.UnionID,
      Round: "1",
      ...Object.fromEntries(holes.map((hole, place) => [hole, String(Result.Strokes[place])])),
    };
  }
  const csvOf = (rows: readonly Cells[], columns = header) =>
    [columns, ...rows.map((one) => columns.map((name) => one[name] ?? ""))]
      .map((cells) => cells.join(";"))
      .join("\r\n");

  const choose = async (page: Page, name: string, content: string | Buffer) =>
    page
      .locator("input[type=file]")
      .setInputFiles({ name, mimeType: "text/csv", buffer: Buffer.from(content) });

  /** The view that takes a table, for the vendor. */
  async function openSending() {
    const portal = await openSignedIn(browser, api, vendor.account, "#/send");
    await portal.page.getByRole("button", { name: words.drop.choose }).waitFor();
    return portal;
  }

  const tile = (page: Page, label: string) =>
    page.locator(".tile", { has: page.locator("dt", { hasText: label }) }).locator(".figure");
  const rowsShown = (page: Page) => page.locator(".table-row");
  /** Presses the button that sends so many cards, and confirms. */
  async function send(page: Page, cards: string) {
    const label = words.send.button(cards);
    const button = page.locator(".send-actions > button", { hasText: label });
    const confirm = page.getByRole("button", { name: words.send.confirm });
    const isReady = async () => (await button.count()) === 1 && (await button.isEnabled());
    // Rows that were mended are being checked until then; and no name here is the register's, of which a person is asked once.
    await expect.poll(async () => (await isReady()) || (await confirm.count()) > 0).toBe(true);
    for (let left = await confirm.count(); left > 0; left -= 1) {
      await confirm.first().click();
      await expect.poll(() => confirm.count()).toBe(left - 1);
    }
    await expect.poll(isReady).toBe(true);
    await button.click();
    await page.getByRole("dialog").getByRole("button", { name: label }).click();
  }
  /** Versions of a tournament's cards: 1 for one that was accepted once. */
  const versionsIn = async (name: string): Promise<number[]> =>
    (await readPages(vendor, `Tournaments/${encodeURIComponent(name)}/Scorecards`, "cards")).map(
      ({ version }) => version,
    );
  /** Chooses a file, and says that it is read rightly. */
  async function check(page: Page, name: string, content: string | Buffer) {
    await choose(page, name, content);
    await page.getByRole("button", { name: words.columns.check }).click();
  }

  test("a person who has read nothing sends a table of 96 rows with 12 faults, mends them and prints the tournament's report, with every card accounted for", async () => {
    const cup = "Tables Cup";
    const columns = [...header, "Tournament"];
    const rows = Array.from({ length: 96 }, (_, place) => ({ ...row(`cup ${place}`), Tournament: cup }));
    const mistakes: readonly (readonly [column: string, cell: string])[] = [
      ["Handicap Index", "scratch"],
      ["Handicap Index", ""],
      ["Course Handicap", "18.5"],
      ["Course Handicap", "500"],
      ["Member No", "32/1"],
      ["Member No", ""],
      ["Marker", ""],
      ["Start", "31.02.2026 08:10"],
      ["Start", "24.12.2099 08:10"],
      ["Tee ID", "Yellow"],
      ["Hole 7", "five"],
      ["Card", "cup 3"],
    ];
    const right = new Map<number, readonly [column: string, cell: string]>();
    for (const [place, [column, cell]] of mistakes.entries()) {
      const at = 10 + place * 5;
      right.set(at + 2, [column, String((rows[at] as Cells)[column])]);
      rows[at] = { ...(rows[at] as (typeof rows)[number]), [column]: cell };
    }
    const { page, ...portal } = await openSending();
    await page.evaluate(
      "window.clicks = 0; addEventListener('pointerdown', () => { window.clicks += 1; }, true)",
    );
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: words.drop.choose }).click(),
    ]);
    await chooser.setFiles({
      name: "cup.csv",
      mimeType: "text/csv",
      buffer: Buffer.from(csvOf(rows, columns)),
    });
    await page.getByRole("button", { name: words.columns.check }).click();
    await expect.poll(() => tile(page, words.rows.tiles.faulty).textContent()).toBe("12");
    await expect.poll(() => rowsShown(page).count()).toBe(12);
    for (const [number, [column, cell]] of right) {
      const field = page.locator(`[id="beside-${number}-${column}"]`);
      await field.click();
      await field.fill(cell);
      await page.keyboard.press("Tab");
    }
    await expect.poll(() => tile(page, words.rows.tiles.faulty).textContent()).toBe("0");
    // A moment after the last row is right a person is asked of the names, or told that there was no time to ask for all players.
    const unasked = page.getByText(/could not be asked for/);
    await page.getByText(words.send.confirm).or(unasked).first().waitFor();
    await send(page, "96");
    await page.getByText(words.send.done("96")).waitFor();
    const link = page.getByRole("link", { name: cup });
    await link.click();
    const sent = page.locator(".tile", { hasText: "Sent" }).locator(".figure");
    await expect.poll(() => sent.textContent()).toBe("96");
    await expect
      .poll(() => page.locator(".tile", { hasText: "Delivered" }).first().locator(".figure").textContent())
      .toBe("96");
    await page.evaluate("window.print = () => { document.title = 'printed'; }");
    await page.getByRole("button", { name: "Print the report" }).click();
    await expect.poll(() => page.title()).toBe("printed");
    // A file, the columns, twelve cells, the names, sending and its confirmation, the tournament and its report.
    expect([18, 19]).toContain(await page.evaluate("window.clicks"));
    expect(await versionsIn(cup)).toEqual(Array.from({ length: 96 }, () => 1));
    const names = pipeline.standIn.received.map(({ card }) => (card as { ExternalID: string }).ExternalID);
    const ofCup = names.filter((name) => name.startsWith("cup "));
    expect(new Set(ofCup).size).toBe(96);
    expect(portal.complaints).toEqual([]);
    // No address has anything of a player.
    const addresses = portal.requests.map((request) => decodeURIComponent(request.url()));
    expect(addresses.filter((address) => /Player of|Tables Cup|32-|cup \d/.test(address))).toEqual([]);
  });

  test("a table whose tab was closed while it was sent is dropped again: what was sent is found, nothing is sent twice, nothing left out", async () => {
    const rows = Array.from({ length: 1_040 }, (_, place) => ({
      ...row(`resume ${place}`),
      Tournament: "Resumed",
    }));
    const csv = csvOf(rows, [...header, "Tournament"]);
    const { page } = await openSending();
    await check(page, "resume.csv", csv);
    await expect.poll(() => tile(page, words.rows.tiles.ready).textContent()).toBe("1,040");
    // The submission of 1,000 is answered; that of 40, which may come first, never reaches the API.
    await page.context().route("**/ScorecardExchange", async (route) => {
      const request = route.request();
      const isPassed = request.method() !== "POST" || cardsOf(request).length === 1_000;
      await (isPassed ? route.continue() : route.abort());
    });
    await send(page, "1,040");
    await expect.poll(() => tile(page, words.rows.tiles.accepted).textContent()).toBe("1,000");
    const again = await page.context().newPage();
    await page.close();
    await again.context().unroute("**/ScorecardExchange");
    await again.goto(`${api}/portal#/send`);
    await check(again, "resume.csv", csv);
    await expect.poll(() => tile(again, words.rows.tiles.ready).textContent()).toBe("40");
    await expect.poll(() => tile(again, words.rows.tiles.accepted).textContent()).toContain("1,000");
    const sent: string[] = [];
    again.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/ScorecardExchange"))
        sent.push(...cardsOf(request).map((card) => card.ExternalID));
    });
    await send(again, "40");
    await again.getByText(words.send.done("1,040")).waitFor();
    expect(new Set(sent).size).toBe(40);
    const counted = async () => (await vendor.ask("GET", "Tournaments/Resumed")).body.totals?.cards;
    await expect.poll(counted).toBe(1_040);
    await expect.poll(() => versionsIn("Resumed")).toEqual(Array.from({ length: 1_040 }, () => 1));
    // Nothing of a table outlives its tab.
    expect(await again.evaluate<string>("JSON.stringify(localStorage)")).not.toContain("resume");
    await again.close();
  });

  test("a row is mended whatever is wrong with it: a name twice, a cell too many or too few, or it is left out", async () => {
    const columns = [...header, "Tournament", "Type", "Counts"];
    const all = ["a", "b", "c", "d", "e"].map((one) => ({
      ...row(`whole ${one}`),
      Tournament: "Whole",
      Type: "2",
      Counts: "yes",
    }));
    (all[1] as Cells).Card = "whole a";
    const lines = csvOf(all, columns).split("\r\n");
    lines[3] = `${lines[3]};5`;
    lines[4] = String(lines[4]).split(";").slice(0, -1).join(";");
    lines[5] = String(lines[5]).replace(/;\d+;Whole/, ";five;Whole");
    const { page, ...portal } = await openSending();
    await check(page, "whole.csv", lines.join("\r\n"));
    await expect.poll(() => tile(page, words.rows.tiles.faulty).textContent()).toBe("4");
    const of = (number: number) => page.locator(".table-row", { hasText: `Row ${number} ` });
    expect(await of(3).textContent()).toContain("Number 2 of this file has the same ExternalID");
    await page.locator('[id="beside-3-Card"]').fill("whole b");
    await page.locator('[id="beside-3-Card"]').blur();
    expect(await of(4).textContent()).toContain("but the header has");
    await of(4).getByRole("button", { name: words.rows.leaveOut }).click();
    // The cell that is missing is whether the round counts.
    await of(5).getByText(words.rows.allCells).click();
    await page.locator('[id="all-5-Counts"]').fill("yes");
    await page.locator('[id="all-5-Counts"]').blur();
    await of(6).getByRole("button", { name: words.rows.leaveOut }).click();
    await expect.poll(() => tile(page, words.rows.tiles.faulty).textContent()).toBe("0");
    await expect.poll(() => tile(page, words.rows.tiles.leftOut).textContent()).toBe("2");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: words.rows.save }).click(),
    ]);
    const saved = readFileSync(await download.path(), "utf8");
    expect(saved.split("\r\n")).toHaveLength(4);
    expect(saved).toContain("whole b");
    await send(page, "3");
    await page.getByText(words.send.doneLeftOut("3", "2")).waitFor();
    await page.getByRole("button", { name: words.rows.filters.all }).click();
    await expect.poll(() => page.locator(".chip.delivered").count()).toBe(3);
    expect(portal.complaints).toEqual([]);
  });

  test("players who are pasted become a workbook to fill in, which is read without a question, and whose card is sent once, however often it is dropped", async () => {
    const { course, tee } = playableTee(pipeline.standIn);
    const club = pipeline.standIn.clubs.find(({ ID }) => ID === course.ClubID);
    const { Player, HCP } = minimalCard(pipeline.standIn, { ExternalID: "pasted" });
    const list = [
      [`${club?.Name}, ${course.Name}`],
      ["Player", "Member No", "Index", "Tee"],
      ["", Player.UnionID, Number(HCP) / 10_000, tee.Name],
    ];
    const { page, ...portal } = await openSending();
    const pasted = JSON.stringify(list.map((row) => row.join("\t")).join("\n"));
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", ${pasted});
      dispatchEvent(new ClipboardEvent("paste", { clipboardData }));
    })()`);
    await page.getByText(words.template.about).waitFor();
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    await page.locator(".question input[type=date]").fill(yesterday);
    await page.getByRole("button", { name: words.questions.use }).click();
    const tournament = page.getByLabel(String(words.fields["Round/TournamentName"]), { exact: true });
    await tournament.fill("Pasted Cup");
    await tournament.blur();
    await expect.poll(() => page.locator(".question").count()).toBe(0);
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: words.template.get }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("Pasted Cup.xlsx");
    const book = read(readFileSync(await download.path()), { cellNF: true, sheetStubs: true });
    const sheet = book.Sheets[book.SheetNames[0] ?? ""] as WorkSheet;
    const strokes = tee.Holes.map(({ Par }) => Par + 1);
    utils.sheet_add_aoa(sheet, [strokes.slice(0, 9)], { origin: "F7" });
    utils.sheet_add_aoa(sheet, [strokes.slice(9)], { origin: "P7" });
    const filled = write(book, { type: "buffer", bookType: "xlsx" }) as Buffer;
    await page.getByRole("button", { name: words.columns.cancel }).click();
    await check(page, "filled.xlsx", filled);
    await send(page, "1");
    await page.getByText(words.send.done("1")).waitFor();
    await page.getByRole("button", { name: words.rows.other }).click();
    await page.getByRole("dialog").getByRole("button", { name: words.rows.discard }).click();
    await check(page, "filled.xlsx", filled);
    await page.getByText(words.send.done("1")).waitFor();
    await expect.poll(() => versionsIn("Pasted Cup")).toEqual([1]);
    expect(portal.complaints).toEqual([]);
  });

  test.each([
    ["an empty file", "", words.drop.empty("wrong.csv")],
    ["a file of broken quotation marks", 'Card;Name\r\n1;"x\r\n', "Check its quotation marks."],
    ["a workbook that is none", Buffer.from("PK\x03\x04nothing"), "is not an Excel workbook"],
  ])("%s is told with what to do, and another file can be chosen", async (_, content, told) => {
    const { page, ...portal } = await openSending();
    await choose(page, "wrong.csv", content);
    await page.getByText(told).waitFor();
    expect(await portal.faults()).toEqual([]);
    await choose(page, "right.csv", csvOf([row("right 1")]));
    await page.getByRole("button", { name: words.columns.check }).waitFor();
  });

  test("choosing a file, its columns and its rows fit a Danish phone in the dark, axe finds nothing, and no policy is violated", async () => {
    const { page, ...portal } = await openPortal(browser, api, "#/send", phone);
    await portal.signIn(vendor.account);
    await page.getByRole("heading", { level: 1, name: da.nav.send }).waitFor();
    await page.getByRole("button", { name: danish.drop.choose }).waitFor();
    expect(await portal.faults()).toEqual([]);
    const rows = [
      { ...row("look 1"), "Handicap Index": "scratch", Marker: "" },
      { ...row("look 2"), "Handicap Index": "15.85" },
      { ...row("look 3"), "Hole 3": "five", "Hole 4": "six" },
      row("look 4"),
    ];
    await choose(
      page,
      "a table with quite a long name of its own, of the last day.csv",
      csvOf(rows as Cells[]),
    );
    await page.getByRole("button", { name: danish.columns.check }).waitFor();
    await page.getByText(danish.columns.drawn).waitFor();
    expect(await portal.faults()).toEqual([]);
    await page.getByRole("button", { name: danish.columns.check }).click();
    await expect.poll(() => rowsShown(page).count()).toBe(2);
    await page.getByText(danish.rows.allCells).first().click();
    await page.locator('[id="all-2-Start"]').waitFor();
    expect(await portal.faults()).toEqual([]);
    await page.getByRole("button", { name: danish.rows.filters.all }).click();
    await expect.poll(() => rowsShown(page).count()).toBe(4);
    expect(await portal.faults()).toEqual([]);
    expect(portal.complaints).toEqual([]);
  });

  test("the script of tables and their worker are loaded when a file is chosen, and a worker's policy lets it load nothing", async () => {
    const { page, ...portal } = await openPortal(browser, api);
    await portal.signIn(vendor.account);
    await page.getByRole("heading", { level: 1, name: en.overview.title }).waitFor();
    const loaded = () =>
      portal.requests.map((request) => request.url()).filter((url) => /part=table/.test(url));
    expect(loaded()).toEqual([]);
    await portal.show("#/send");
    await page.getByRole("button", { name: words.drop.choose }).waitFor();
    expect(loaded().filter((url) => url.includes("worker"))).toEqual([]);
    await choose(page, "first.csv", csvOf([row("first")]));
    await page.getByRole("button", { name: words.columns.check }).waitFor();
    const address = new URL(loaded().find((url) => url.includes("worker")) ?? "");
    const script = await pipeline.ask("GET", `portal.js?${address.searchParams}`);
    expect(script.headers.get("content-security-policy")).toBe(
      "default-src 'none'; connect-src 'self'; require-trusted-types-for 'script'",
    );
    // The page's policy lets it make no other script's address, and no worker of another script.
    const made = await page.evaluate<string>(
      "(() => { try { new Worker('portal.js?part=other'); return 'made'; } catch (error) { return error.name; } })()",
    );
    expect(made).toBe("TypeError");
  });

  test("a table is chosen, mended and sent with the keyboard alone, which keeps its place", async () => {
    const rows = [{ ...row("keys 1"), Marker: "", "Hole 2": "five" }, row("keys 2")];
    const right = row("keys 1");
    const { page } = await openSending();
    const focused = () =>
      page.evaluate<string>("document.activeElement.id || document.activeElement.textContent.trim()");
    const reach = (id: string) => tabTo(page, (focused) => focused === id);
    // The browser is told to leave the choice to the test before the button is pressed.
    const choosing = page.waitForEvent("filechooser");
    await reach(words.drop.choose);
    await page.keyboard.press("Enter");
    const chooser = await choosing;
    await chooser.setFiles({ name: "keys.csv", mimeType: "text/csv", buffer: Buffer.from(csvOf(rows)) });
    await page.getByRole("button", { name: words.columns.check }).waitFor();
    await reach(words.columns.check);
    await page.keyboard.press("Enter");
    await expect.poll(() => tile(page, words.rows.tiles.faulty).textContent()).toBe("1");
    await page.locator('[id="beside-2-Marker"]').waitFor();
    await reach("beside-2-Marker");
    await page.keyboard.type(String(right.Marker));
    await reach("beside-2-Hole 2");
    await page.keyboard.type(String(right["Hole 2"]));
    await page.keyboard.press("Enter");
    await expect.poll(() => tile(page, words.rows.tiles.faulty).textContent()).toBe("0");
    expect(await focused()).toBe("beside-2-Hole 2");
    await expect.poll(() => tile(page, words.rows.tiles.ready).textContent()).toBe("2");
    expect(await focused()).toBe("beside-2-Hole 2");
    await tabTo(page, (focused) => focused.startsWith("Send 2"), "Shift+Tab");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.getByText(words.send.done("2")).waitFor();
  });

  test("2,000 rows are checked in the worker, and only fifty of them come to the page", async () => {
    const one = row("many");
    const rows = Array.from({ length: 2_000 }, (_, place) => ({
      ...one,
      Card: `many ${place}`,
      "Handicap Index": place % 16 === 7 ? "scratch" : String(one["Handicap Index"]),
    }));
    const { page, ...portal } = await openPortal(browser, api, "#/send");
    await page.addInitScript(`
      const Plain = Worker;
      window.largest = 0;
      window.Worker = class extends Plain {
        constructor(...given) {
          super(...given);
          this.addEventListener("message", ({ data }) => {
            window.largest = Math.max(window.largest, JSON.stringify(data).length);
          });
        }
      };`);
    await page.reload();
    await portal.signIn(vendor.account);
    await page.getByRole("button", { name: words.drop.choose }).waitFor();
    const path = join(folder, "many.csv");
    await writeFile(path, csvOf(rows));
    await page.locator("input[type=file]").setInputFiles(path);
    await page.getByRole("button", { name: words.columns.check }).click();
    await expect.poll(() => tile(page, words.rows.tiles.faulty).textContent()).toBe("125");
    await expect.poll(() => tile(page, words.rows.tiles.ready).textContent()).toBe("1,875");
    expect(await rowsShown(page).count()).toBe(50);
    // The table has some hundred kilobytes, and a page of rows some thirty kilobytes.
    const largest = await page.evaluate<number>("window.largest");
    expect([largest > 10_000, largest < 100_000]).toEqual([true, true]);
    await page.getByRole("button", { name: words.rows.next }).click();
    await page.getByText(words.rows.range("51", "100", "125")).waitFor();
    await page.locator(".table-row", { hasText: "Row 809 " }).waitFor();
    // One that the API is too busy for is sent again.
    const validations = portal.requests.filter((request) => request.url().includes("/Validate"));
    expect(new Set(validations.map((request) => cardsOf(request)[0]?.ExternalID)).size).toBe(20);
  });
});
