import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { TournamentCard } from "../../api/tournaments.ts";
import { hasChromium, sharedChromium } from "../../local/browser.ts";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { da } from "../../portal/texts/da.ts";
import { en } from "../../portal/texts/en.ts";
import { da as danish } from "../../portal/texts/tournaments/da.ts";
import { en as english } from "../../portal/texts/tournaments/en.ts";
import { openPortal, openSignedIn, phone } from "./open-portal.ts";
import { type Pipeline, patient, sharedPipelineWithNewVendors, type Vendor } from "./pipeline.ts";

const name = "Årets Midsommer / Cup #1";
const players = ["Karen Bunker", "Ole Fairway", "=Tee & Søn", "Ib Green", "Åse Driver"];

describe.skipIf(!hasChromium)("in Chromium (none found: install it or set CHROMIUM)", () => {
  let pipeline: Pipeline;
  let browser: Browser;
  let vendor: Vendor;
  let api: string;

  /** A card of the tournament; the player plays some strokes over bogey, and picks up on a hole if there are many. */
  function card(ExternalID: string, place: number, round: number, change: object = {}) {
    const plain = minimalCard(pipeline.standIn, { ExternalID: `player ${place}` });
    const { Strokes } = plain.Result;
    return {
      ...plain,
      ExternalID,
      Round: {
        ...plain.Round,
        StartTime: plain.Round.StartTime.replace("T10", `T${round === 1 ? "09" : "14"}`),
        TournamentName: name,
        TournamentRoundNumber: round,
      },
      Player: { ...plain.Player, FullName: players[place], HomeClubName: "Green Golf Club" },
      Result: {
        ...plain.Result,
        Strokes: Strokes.map((strokes, hole) =>
          hole < place ? strokes + 1 : place === 4 && hole === 17 ? 0 : strokes,
        ),
      },
      ...change,
    };
  }

  const page = async () => (await vendor.ask("GET", `Tournaments/${encodeURIComponent(name)}`)).body;
  const cards = async (): Promise<TournamentCard[]> =>
    (await vendor.ask("GET", `Tournaments/${encodeURIComponent(name)}/Scorecards`)).body.cards;

  beforeAll(async () => {
    [pipeline, browser] = await Promise.all([sharedPipelineWithNewVendors(), sharedChromium()]);
    api = pipeline.machine.run.api;
    vendor = pipeline.vendor(0);
    const sent = [1, 2].flatMap((round) =>
      players.map((_, place) => card(`round ${round} of ${place}`, place, round)),
    );
    const unknown = card("round 1 of an unknown player", 0, 1, { Player: { UnionID: "1001-987654" } });
    const refused = card("refused", 1, 1, { HCP: "9990000" });
    const { status } = await vendor.submit([...sent, unknown, refused], { Prefer: "handling=lenient" });
    expect(status).toBe(207);
    await vi.waitFor(async () => {
      expect((await page()).totals).toMatchObject({ cards: 11, delivered: 11, playersUnknown: 1 });
    }, patient);
  });
  afterAll(async () => {
    await pipeline?.stop();
  });

  const show = async (portal: Awaited<ReturnType<typeof openPortal>>) => {
    await portal.page.getByRole("link", { name }).click();
    await portal.page.getByRole("heading", { level: 1, name }).waitFor();
  };
  /** The cards that are not delivered, or have a warning. */
  const toLookAt = (of: Page) => of.locator(".look li");

  test("the tournaments and one of them fit a Danish phone in the dark, axe finds nothing, and no policy is violated", async () => {
    const portal = await openPortal(browser, api, "#/tournaments", phone);
    const shown = portal.page;
    await portal.signIn(vendor.account);
    await shown.getByRole("heading", { level: 1, name: da.nav.tournaments }).waitFor();
    await shown.getByRole("link", { name }).waitFor();
    // The card of a player whom the union does not know is delivered, and will not count.
    await shown.locator("strong.bad", { hasText: danish.uncounted("1") }).waitFor();
    expect(await portal.faults()).toEqual([]);
    await show(portal);
    await toLookAt(shown).first().waitFor();
    await shown.getByRole("heading", { name: danish.mend.title }).waitFor();
    expect(await portal.faults()).toEqual([]);
    await portal.show("#/tournaments/~nothing?from=2026-01-01&to=2026-01-01");
    await shown.getByText(danish.missing.title).waitFor();
    expect(await portal.faults()).toEqual([]);
    await portal.show("#/tournaments?days=1&to=2026-01-01");
    await shown.getByText(danish.none.title).waitFor();
    expect(await portal.faults()).toEqual([]);
    expect(portal.complaints).toEqual([]);
  });

  test("a player's cards are found on any page, by a part of the name or by number, and a card leads back to the list before it", async () => {
    const portal = await openSignedIn(browser, api, vendor.account, "#/refusals?days=30");
    const search = portal.page.getByLabel(en.cards.search);
    const find = async (text: string) => {
      await search.fill(text);
      await search.press("Enter");
    };
    await find("bunker KAR");
    const found = portal.page.locator("search").getByRole("link", { name: "Karen Bunker" });
    await expect.poll(() => found.count()).toBe(2);
    await find(card("", 2, 1).Player.UnionID);
    await expect.poll(() => found.count()).toBe(0);
    await expect.poll(() => portal.page.locator("search li").count()).toBe(2);
    await find("1001-987654");
    await portal.page.getByRole("heading", { name: "round 1 of an unknown player" }).waitFor();
    await portal.page.getByRole("link", { name: en.card.back }).click();
    await expect.poll(() => portal.page.url()).toContain("#/refusals?days=30");
    await find("Nobody");
    await portal.page.getByText(en.cards.notFound("Nobody")).waitFor();
  });

  test("the script of tournaments is loaded when one is looked at, and a page that cannot load it says so", async () => {
    const portal = await openSignedIn(browser, api, vendor.account, "#/");
    await portal.page.getByRole("heading", { level: 1, name: en.overview.title }).waitFor();
    const loaded = () => portal.requests.filter((request) => request.url().includes("part=tournaments"));
    expect(loaded()).toEqual([]);
    await portal.page.route("**/portal.js?part=tournaments*", (route) => route.abort());
    await portal.show("#/tournaments");
    await portal.page.getByRole("heading", { name: en.notLoaded.title }).waitFor();
    await portal.page.unroute("**/portal.js?part=tournaments*");
    await portal.page.getByRole("button", { name: en.notLoaded.again }).click();
    await portal.page.getByRole("link", { name }).waitFor();
    expect(loaded().length).toBeGreaterThan(1);
  });

  test("a card that arrives while the page is open comes to the counts and to the cards to look at by itself", async () => {
    const portal = await openSignedIn(browser, api, vendor.account, "#/tournaments");
    await show(portal);
    const tile = (label: string) => portal.page.locator(".tile", { hasText: label }).locator(".figure");
    await expect.poll(() => tile("Sent").textContent()).toBe("11");
    await expect.poll(() => tile("Refused, to mend").textContent()).toBe("1");
    await expect.poll(() => toLookAt(portal.page).count()).toBe(11);
    await vendor.submit([card("refused", 1, 1, { Player: { UnionID: "1001-1", FullName: "New Comer" } })]);
    await expect.poll(() => tile("Sent").textContent()).toBe("12");
    await expect.poll(() => tile("Refused, to mend").textContent()).toBe("0");
    await toLookAt(portal.page).getByRole("link", { name: "New Comer" }).waitFor();
    await vendor.submit([card("refused", 1, 1, { HCP: "9990000" })]);
    await portal.page.getByText(english.mend.correction).waitFor();
  });

  test("a page that shows the first of very many cards says so, and reads the others when it is asked to, or to print", async () => {
    const portal = await openSignedIn(browser, api, vendor.account, "#/tournaments");
    const [some] = await cards();
    const made = (from: number, count: number) =>
      Array.from({ length: count }, (_, place) => ({ ...some, externalId: `many-${from + place}` }));
    await portal.page.route("**/Scorecards?*", (route) => {
      const isRest = route.request().url().includes("after=");
      const late = { ...some, externalId: "the last", playerName: "Ada Last", state: "rejected" };
      const json = isRest ? { cards: [late] } : { cards: made(0, 2_000), next: "?after=x" };
      return route.fulfill({ json });
    });
    await portal.page.evaluate("window.print = () => { document.title = 'printed'; }");
    await show(portal);
    await portal.page.getByRole("button", { name: english.look.rest }).waitFor();
    const last = toLookAt(portal.page).getByRole("link", { name: "Ada Last" });
    expect(await last.isVisible()).toBe(false);
    await portal.page.getByRole("button", { name: english.print }).click();
    await expect.poll(() => portal.page.title()).toBe("printed");
    expect(await last.isVisible()).toBe(true);
    expect(await portal.page.getByRole("button", { name: english.look.rest }).isVisible()).toBe(false);
  });

  test("the report on paper has the counts, the refused cards and those to look at, and nothing to click", async () => {
    const portal = await openSignedIn(browser, api, vendor.account, "#/tournaments");
    await show(portal);
    await toLookAt(portal.page).first().waitFor();
    // The button has the browser print; there is no dialog in a test.
    await portal.page.evaluate("window.print = () => { document.title = 'printed'; }");
    await portal.page.getByRole("button", { name: english.print }).click();
    await expect.poll(() => portal.page.title()).toBe("printed");
    await portal.page.emulateMedia({ media: "print" });
    const isShown = (selector: string) => portal.page.locator(selector).first().isVisible();
    const hidden = [".top", ".back", ".actions", ".updated"];
    expect(await Promise.all(hidden.map(isShown))).toEqual(hidden.map(() => false));
    const shown = ["h1", ".tiles", ".refused-cards", ".look", ".printed"];
    expect(await Promise.all(shown.map(isShown))).toEqual(shown.map(() => true));
    expect(await portal.page.locator(".printed").textContent()).toContain(vendor.account.username);
    const pdf = await portal.page.pdf({ format: "A4" });
    expect(pdf.byteLength).toBeGreaterThan(5_000);
  });
});
