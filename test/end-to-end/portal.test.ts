import type { Overview } from "@scorecard-pipeline/scorecards-client";
import { commandFaults } from "@scorecard-pipeline/stand-in";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Operation } from "../../api/operation.ts";
import { operations } from "../../api/operations.ts";
import { hasChromium, sharedChromium } from "../../local/browser.ts";
import { demoOperator } from "../../local/pipeline/demo-accounts.ts";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { startEndpoint } from "../../local/pipeline/webhook-endpoint.ts";
import { da } from "../../portal/texts/da.ts";
import { en } from "../../portal/texts/en.ts";
import { tryLongAgo } from "./cards-of-long-ago.ts";
import { openPortal, openSignedIn, phone, tabTo } from "./open-portal.ts";
import { type Pipeline, patient, sharedPipelineWithNewVendors, type Vendor } from "./pipeline.ts";
import { rejectCard } from "./reject-card.ts";

const mark = "only the other vendor may read this";

/** Skipped only where there is no browser: install Debian's chromium, or name one in the variable CHROMIUM. */
describe.skipIf(!hasChromium)("in Chromium (none found: install it or set CHROMIUM)", () => {
  let pipeline: Pipeline;
  let browser: Browser;
  let vendor: Vendor;
  let api: string;
  /** A card of a player whom the union does not know. */
  const unknownPlayer = "unknown player";
  /** Another, accepted ten days ago, given up, and corrected today. */
  const correctedLate = "corrected late";

  beforeAll(async () => {
    [pipeline, browser] = await Promise.all([sharedPipelineWithNewVendors(), sharedChromium()]);
    api = pipeline.machine.run.api;
    vendor = pipeline.vendor(0);
    const { standIn } = pipeline;
    const faults = standIn.faultsOfVendor(vendor.account.apiSet);
    commandFaults(faults, { poison: { rejected: 422, [correctedLate]: 500 } });
    const good = ["delivered", "rejected"].map((ExternalID) => minimalCard(standIn, { ExternalID }));
    const Round = { ...good[0]?.Round, TournamentName: "Refused Cup" };
    const refused = minimalCard(standIn, { ExternalID: "refused", HCP: "9990000", Comment: 5, Round });
    await vendor.submit([...good, refused], { Prefer: "handling=lenient" });
    await pipeline
      .vendor(1)
      .submit([minimalCard(standIn, { ExternalID: "of the other vendor", Comment: mark })]);
    const Player = { UnionID: "1001-987654" };
    const late = minimalCard(standIn, { ExternalID: correctedLate });
    await tryLongAgo(pipeline.machine.run, vendor.account.apiSet, [late]);
    await vi.waitFor(
      async () => expect(await vendor.states([correctedLate])).toEqual(["undelivered"]),
      patient,
    );
    commandFaults(faults, { poison: { rejected: 422 } });
    await vendor.submit([minimalCard(standIn, { ExternalID: unknownPlayer, Player }), { ...late, Player }]);
    await vi.waitFor(async () => {
      expect(await rejectCard(pipeline.machine.run, vendor.account.apiSet, "rejected")).toBe(true);
    }, patient);
    await vi.waitFor(async () => {
      expect(await vendor.states(["delivered", "rejected"])).toEqual(["delivered", "rejected"]);
      const { totals } = (await vendor.ask("GET", "Activity")).body;
      expect(totals).toMatchObject({ refused: 1, playersUnknown: 2, rejected: 1 });
    }, patient);
  });

  afterAll(async () => {
    await pipeline?.stop();
  });

  /** Words that Danish golfers use as they are, or that both languages have. */
  const ofBothLanguages =
    /^(at|course|decimal|dk|for|give|golf|handicap|have|id|index|lifetimeid|marker|par|person|rating|register|score|send|slope|start|sum|to|under|union|version)$/;
  const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
  const click = (page: Page, name: string) => page.getByRole("link", { name }).click();

  test.each([
    phone,
    { locale: "en-GB", viewport: { width: 1280, height: 800 }, colorScheme: "light" },
  ] as const)(
    "every view fits windows of 360 to 1440 pixels in $locale, axe finds nothing at $viewport.width in $colorScheme, and no policy is violated",
    async ({ locale, viewport, colorScheme }) => {
      const texts = locale === "en-GB" ? en : da;
      const { page, ...portal } = await openPortal(browser, api, "", { colorScheme, viewport, locale });
      await page.getByRole("heading", { name: texts.signIn.title }).waitFor();
      expect(await portal.faults()).toEqual([]);
      await portal.signIn(vendor.account);
      expect(await page.evaluate("document.documentElement.lang")).toBe(locale.slice(0, 2));
      const views: readonly (readonly [address: string, landmark: string])[] = [
        ["#/", texts.overview.attention],
        ["#/?range=30d", texts.overview.byDay],
        ["#/cards", texts.cards.title],
        ["#/cards?state=rejected", texts.cards.title],
        [`#/cards/${encodeURIComponent(unknownPlayer)}`, texts.card.look.title],
        ["#/cards/nobody", texts.card.missing.title],
        ["#/cards/refused", texts.card.missing.refused("").slice(0, -1).trim()],
        ["#/refusals", texts.faults.out_of_range[0] ?? ""],
        ["#/webhooks", texts.webhooks.add],
        ["#/api", texts.api.title],
        ["#/operator", texts.notGranted.title],
        ["#/nothing", texts.nowhere.title],
      ];
      for (const [address, landmark] of views) {
        await portal.show(address);
        await page.getByRole("heading", { name: landmark }).first().waitFor();
        expect(await portal.faults(), address).toEqual([]);
        for (const other of [360, 390, 1280, 1440]) {
          await page.setViewportSize({ width: other, height: 800 });
          // Charts are drawn anew after the window has got its new size.
          await expect.poll(portal.overflow, { message: `${address} in ${other} pixels` }).toBe(0);
        }
        await page.setViewportSize(viewport);
      }
      expect(portal.complaints).toEqual([]);
    },
  );

  test("a Danish page of every fault and warning has no English word but for a developer", async () => {
    const { page, signIn } = await openPortal(browser, api, "#/refusals", phone);
    await page.route("**/Activity?*", async (route) => {
      const response = await route.fetch();
      const refusals = Object.keys(da.faults).map((code) => ({ code, cards: 1, latest: [] }));
      await route.fulfill({ response, json: { ...(await response.json()), refusals } });
    });
    await signIn(vendor.account);
    for (const [title = ""] of Object.values(da.faults))
      await page.getByRole("heading", { name: title }).waitFor();
    const wordsIn = (text: string) => text.toLowerCase().match(/[a-zæøå]+/g) ?? [];
    const english = new Set(wordsIn(JSON.stringify([en.faults, en.refusals])));
    const shown = wordsIn(await page.locator("main").innerText());
    expect(shown.filter((word) => english.has(word) && !ofBothLanguages.test(word))).toEqual([]);
  });

  test("the address in a mail about a rejected card shows the reason once the reader has signed in", async () => {
    const { page, signIn } = await openPortal(browser, api, "#/cards/rejected");
    await signIn(vendor.account);
    await page.getByRole("heading", { name: "Rejected", exact: true }).waitFor();
    const reason = page.getByRole("region", { name: "Rejected" });
    expect(await reason.textContent()).toContain("HTTP 422");
  });

  test("every card that the overview counts is behind its link, however long before it was accepted, and corrected since", async () => {
    const { page, show } = await openSignedIn(browser, api, vendor.account, "#/");
    for (const count of [
      "1 given up after two days",
      "2 delivered for players whom the union does not know",
    ]) {
      await show("#/");
      await click(page, count);
      await page.getByText(count).waitFor();
      await click(page, correctedLate);
      await heading(page, correctedLate).waitFor();
    }
  });

  test("a card is listed and headed by its player's name, which the union has, and not the card", async () => {
    const { UnionID } = minimalCard(pipeline.standIn, { ExternalID: "delivered" }).Player;
    const member = (await vendor.ask("GET", `Clubs/Golfer?${new URLSearchParams({ unionID: UnionID })}`))
      .body;
    const name = `${member.FirstName} ${member.LastName}`;
    const { page } = await openSignedIn(browser, api, vendor.account, "#/cards");
    await page.getByRole("link", { name: `${name} delivered` }).click();
    await heading(page, `${name} delivered`).waitFor();
    // Of a player whom the union does not know there is no name, and the card is called as before.
    await page.goBack();
    await page.getByRole("link", { name: new RegExp(`^${unknownPlayer}`) }).waitFor();
  });

  test("a card is drawn as a scorecard, with what the union's rules make of it", async () => {
    const { page } = await openSignedIn(browser, api, vendor.account, "#/cards/delivered");
    const front = page.getByRole("table", { name: "Holes 1 to 9" });
    await front.waitFor();
    const { card, derivation } = (await vendor.ask("GET", "ScorecardExchange/delivered/Card")).body;
    const row = (name: string) => front.getByRole("row", { name: new RegExp(`^${name}`) }).getByRole("cell");
    const nine = derivation.holes.slice(0, 9);
    const numbers = (of: string[]) => of.slice(0, 9).map((text) => Number.parseInt(text || "0", 10));
    expect(numbers(await row("Strokes").allTextContents())).toEqual(card.Result.Strokes.slice(0, 9));
    expect(numbers(await row("Points").allTextContents())).toEqual(card.Result.Points.slice(0, 9));
    expect(numbers(await row("Received").allTextContents())).toEqual(
      nine.map((hole: { receivedOffPlayingHandicap: number }) => hole.receivedOffPlayingHandicap),
    );
    expect(numbers(await row("Counts").allTextContents())).toEqual(
      nine.map((hole: { counted: number }) => hole.counted),
    );
    expect(await row("Strokes").first().textContent()).toContain(", bogey");
    // Nine cells beside each other, as all other rows have them.
    const cells = await Promise.all((await row("Strokes").all()).map((cell) => cell.boundingBox()));
    expect(new Set(cells.map((box) => Math.round(box?.y ?? 0))).size).toBe(1);
    expect(await page.locator(".totals").textContent()).toContain(String(card.Result.NetDoubleBogeyGross));
  });

  test.each([
    [
      { state: "recorded", at: "2026-07-04T12:05:00.000Z", differential: 246_000 },
      [],
      /^Player's recordIn the player's record since .*, Score Differential 24\.6\.$/,
      /Found in the player's record, Score Differential 24\.6$/m,
    ],
    [
      { state: "not_recorded", at: "2026-07-04T12:05:00.000Z" },
      [{ index: 0, pointer: "", code: "not_recorded", detail: "The union knows no such player." }],
      /^Player's recordNot in the player's record, last looked for .*Three days after delivery the round was not in the player's record\. Look .*$/,
      /Not found in the player's record$/m,
    ],
  ])(
    "a delivered card tells whether it is in the player's record: %o",
    async (record, warnings, said, told) => {
      const { page, ...portal } = await openSignedIn(browser, api, vendor.account);
      await page.route("**/ScorecardExchange/delivered", async (route) => {
        const response = await route.fetch();
        const { record: _, ...status } = await response.json();
        await route.fulfill({ response, json: { ...status, record, warnings } });
      });
      await portal.show("#/cards/delivered");
      const notice = page.getByRole("region", { name: "Player's record" });
      await notice.waitFor();
      expect(await notice.textContent()).toMatch(said);
      const history = page.getByRole("region", { name: "History" }).getByRole("listitem");
      expect((await history.allTextContents()).join("\n")).toMatch(told);
      expect(await portal.faults()).toEqual([]);
    },
  );

  test("the overview counts cards that are in players' records, and links to those that are not", async () => {
    const { page, ...portal } = await openSignedIn(browser, api, vendor.account);
    await page.route("**/Activity?*", async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      const checked = { recorded: 12, notRecorded: 1 };
      const days = body.days.map((day: object) => ({ ...day, ...checked }));
      await route.fulfill({ response, json: { ...body, days, totals: { ...body.totals, ...checked } } });
    });
    await portal.show("#/");
    await page.getByText("In players' records").waitFor();
    expect(await page.locator(".tile", { hasText: "In players' records" }).textContent()).toContain(
      "121 not",
    );
    expect(await portal.faults()).toEqual([]);
    await page.getByRole("link", { name: /delivered, but not in the player's record$/ }).click();
    await heading(page, "Cards").waitFor();
    expect(page.url()).toContain("counted=notRecorded");
  });

  test("a card that was refused is found by its name, with all its faults and what to do", async () => {
    const { page } = await openSignedIn(browser, api, vendor.account, "#/");
    await click(page, "Cards");
    await page.getByLabel("Find a card by player, member number or ExternalID").fill("refused");
    await page.keyboard.press("Enter");
    await page.getByText("Handicap Index: A number is beyond what occurs in golf.").waitFor();
    await page.getByRole("link", { name: "Refused Cup" }).waitFor();
    const told = await page.getByRole("main").textContent();
    expect(told).toContain("Sent 999.0");
    expect(told).toContain("The whole card: A value is of another kind");
    expect(told).toContain("out_of_range /HCP");
    expect(told).toContain("wrong_type /Comment");
    expect(page.url()).toBe(`${api}/portal#/cards/refused`);
  });

  test("all cards that were refused for a fault are listed, with what was sent", async () => {
    const { page } = await openSignedIn(browser, api, vendor.account, "#/refusals?days=7&code=out_of_range");
    const list = page.locator(".refused-cards");
    await list.getByRole("link", { name: "refused", exact: true }).waitFor();
    expect(await list.textContent()).toContain("Handicap IndexSent 999.0");
  });

  test("a vendor sees nothing of another's, whatever address it opens, and asks for nothing of another's", async () => {
    const { page, ...portal } = await openPortal(browser, api, "#/cards/of%20the%20other%20vendor");
    const answers: string[] = [];
    page.on("response", async (response) => {
      answers.push(await response.text().catch(() => ""));
    });
    await portal.signIn(vendor.account);
    await page.getByText("No such card was accepted").waitFor();
    const views = [
      ["#/", "Overview"],
      ["#/cards", "Cards"],
      ["#/cards/delivered", "delivered"],
      ["#/refusals", "Refusals"],
      ["#/webhooks", "Webhooks"],
    ] as const;
    for (const [address, title] of views) {
      const answered = page.waitForResponse((response) => response.url().includes(vendor.account.apiSet));
      await portal.show(address);
      await heading(page, title).waitFor();
      await answered;
    }
    await portal.show("#/api");
    await heading(page, "API").waitFor();
    await page.getByRole("button", { name: "See what is done" }).click();
    await page.getByText(/^\d+ of 25 deeds are done\.$/).waitFor();
    expect(await page.getByRole("listitem").filter({ hasText: "A webhook endpoint" }).count()).toBe(3);
    await page.waitForLoadState("networkidle");
    const { apiSet } = vendor.account;
    const paths = portal.requests.map((request) => request.url().replace(api, ""));
    const known = /^\/portal(\.(js|css)\?v=[0-9a-f]{16}|\.js\?part=[\w-]+|\/session)?$/;
    expect(paths.filter((path) => !known.test(path) && !path.startsWith(`/${apiSet}/`))).toEqual([]);
    const other = pipeline.vendor(1).account.apiSet;
    const leaks = () => answers.filter((text) => text.includes(mark) || text.includes(`"apiSet":"${other}"`));
    await expect.poll(() => answers.length).toBeGreaterThan(6);
    expect(leaks()).toEqual([]);
  });

  test("an account without scorecards sees what it may use, and is told why it does not see the rest", async () => {
    const { page, ...portal } = await openPortal(browser, api, "#/cards");
    await portal.signIn(pipeline.vendor(2).account);
    await page.getByText("Not part of this account").waitFor();
    expect(await page.getByRole("navigation", { name: "Views" }).getByRole("link").allTextContents()).toEqual(
      ["API"],
    );
    const paths = portal.requests.map((request) => request.url());
    expect(paths.filter((path) => path.includes("ScorecardExchange"))).toEqual([]);
  });

  test("a wrong password is said first, and the right one then shows the view of the address", async () => {
    const { page, signIn } = await openPortal(browser, api, "#/refusals");
    await page.getByLabel("User name").fill(vendor.account.username);
    await page.getByLabel("Password").fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect.poll(() => page.evaluate("document.activeElement.id")).toBe("fault");
    expect(await page.getByRole("alert").textContent()).toBe("The user name or the password is wrong.");
    await signIn(vendor.account);
    await heading(page, "Refusals").waitFor();
  });

  test("a session survives a reload, the password is nowhere, and signing out ends it", async () => {
    const { page, signIn, requests } = await openPortal(browser, api);
    const { account } = pipeline.vendor(1);
    await signIn(account);
    await page.getByText("Needs attention").waitFor();
    expect(await page.evaluate("[localStorage.length, sessionStorage.length, document.cookie]")).toEqual([
      0,
      0,
      "",
    ]);
    const { password } = account;
    const [cookie, ...others] = await page.context().cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({
      httpOnly: true,
      sameSite: "Strict",
      path: `${new URL(api).pathname}/portal/session`,
      expires: -1,
    });
    expect(cookie?.value).not.toContain(password);
    // A request to the API has a token, and neither the cookie nor the password.
    const sent = await Promise.all(
      requests.filter((one) => one.url().includes("Activity")).map((one) => one.allHeaders()),
    );
    expect(sent.length).toBeGreaterThan(0);
    for (const headers of sent) {
      expect(headers.authorization).toMatch(/^Bearer /);
      expect(headers.cookie).toBeUndefined();
    }
    expect(requests.filter((request) => request.url().includes(password))).toEqual([]);
    const signOut = page.getByRole("button", { name: "Sign out", exact: true });
    await page.reload();
    await signOut.waitFor();
    await page.goto("about:blank");
    await page.goBack();
    await signOut.waitFor();
    await signOut.click();
    await page.getByLabel("Password").waitFor();
    await expect.poll(() => page.context().cookies()).toEqual([]);
    await page.reload();
    await page.getByLabel("Password").waitFor();
    expect(await signOut.count()).toBe(0);
  });

  test("a session that could not be ended says so, since a reload would go on with it", async () => {
    const { page, signIn } = await openPortal(browser, api);
    await signIn(vendor.account);
    await page.route("**/portal/session", (route) => route.abort());
    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByText("Close the browser to end it").waitFor();
  });

  test("a tab does nothing in the name of another account that has signed in in its browser, and says so", async () => {
    const { page, signIn } = await openPortal(browser, api);
    await page.route("**/portal/session", async (route) => {
      const response = await route.fetch();
      if (response.status() !== 200) return route.fulfill({ response });
      const { account, ...session } = await response.json();
      const other = route.request().method() === "PUT" && { username: "another" };
      // A second longer than the reserve in which a token is renewed.
      return route.fulfill({
        response,
        json: { ...session, expiresIn: 61, account: { ...account, ...other } },
      });
    });
    await signIn(vendor.account);
    await page.getByText(en.signIn.other).waitFor();
  });

  test("every view and every card can be reached with the keyboard alone", async () => {
    const { page } = await openSignedIn(browser, api, vendor.account, "#/");
    const reach = (text: string) => tabTo(page, (focused) => focused.startsWith(text));
    await reach("Cards");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Cards" }).waitFor();
    // Not the cards of today: the tests may begin before midnight.
    await reach("Rejected");
    await page.keyboard.press("Enter");
    // The card, and not the choice of its state.
    await page
      .getByRole("link", { name: /^rejected/ })
      .first()
      .waitFor();
    await reach("rejected");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Rejected", exact: true }).waitFor();
    expect(await page.evaluate("document.activeElement.id")).toBe("content");
  });

  describe("when something fails", () => {
    test.each([
      ["abort", "The API cannot be reached"],
      [429, "used up its requests"],
      [500, "The API has failed"],
    ] as const)(
      "an API that answers %s is told of, and the page goes on by itself",
      async (failure, said) => {
        const { page, ...portal } = await openSignedIn(browser, api, vendor.account);
        await page.route("**/Activity?*", (route) =>
          failure === "abort" ? route.abort() : route.fulfill({ status: failure, body: "" }),
        );
        await portal.show("#/refusals");
        await page.getByText(said).waitFor();
        expect(await portal.faults()).toEqual([]);
        await page.unroute("**/Activity?*");
        await page.getByRole("button", { name: "Try again" }).click();
        await page.getByText("A number is beyond what occurs in golf").first().waitFor();
        expect(await page.getByText(said).count()).toBe(0);
      },
    );

    test("what was read stays on the page while it cannot be read again", async () => {
      const { page } = await openSignedIn(browser, api, vendor.account, "#/refusals");
      await page.getByText("A number is beyond what occurs in golf").first().waitFor();
      await page.route("**/Activity?*", (route) => route.abort());
      await page.getByRole("button", { name: "Refresh" }).click();
      await page.getByText("Shown as of").waitFor();
      expect(await page.getByText("A number is beyond what occurs in golf").count()).toBeGreaterThan(0);
    });

    test("an account that the API refuses has to sign in again, and then sees the same view", async () => {
      const { page, signIn } = await openPortal(browser, api, "#/refusals");
      await signIn(vendor.account);
      await page.getByText("A number is beyond what occurs in golf").first().waitFor();
      await page.route("**/Activity?*", (route) => route.fulfill({ status: 401, body: "" }));
      await page.getByRole("button", { name: "Refresh" }).click();
      await page.getByText("does not accept this account any more").waitFor();
      await page.unroute("**/Activity?*");
      await signIn(vendor.account);
      await heading(page, "Refusals").waitFor();
    });

    test("nothing is asked for while the page is hidden", async () => {
      const { page, signIn, requests } = await openPortal(browser, api, "#/cards/delivered");
      await signIn(vendor.account);
      await page.getByRole("heading", { name: "History" }).waitFor();
      const asked = () => requests.filter((request) => request.url().includes("ScorecardExchange")).length;
      await page.clock.install();
      await page.evaluate(
        'Object.defineProperty(document, "hidden", { value: true, configurable: true }); document.dispatchEvent(new Event("visibilitychange"))',
      );
      const before = asked();
      await page.clock.runFor(600_000);
      expect(asked()).toBe(before);
      await page.evaluate(
        'Object.defineProperty(document, "hidden", { value: false }); document.dispatchEvent(new Event("visibilitychange"))',
      );
      await page.clock.runFor(60_000);
      await expect.poll(asked).toBeGreaterThan(before);
    });
  });

  test("a vendor without cards is told what to do first", async () => {
    const { page, ...portal } = await openSignedIn(browser, api, vendor.account);
    await page.route("**/Activity?*", async (route) => {
      const answer = await route.fetch();
      const none = { ...(await answer.json()), days: [], hours: [], refusals: [], waiting: { cards: 0 } };
      await route.fulfill({ response: answer, json: none });
    });
    await portal.show("#/");
    await page.getByText("No cards in this time").waitFor();
    expect(await portal.faults()).toEqual([]);
    await page.locator(".empty").getByRole("link", { name: "Send a table" }).click();
    await page.getByText(/^The operator: .+@/).waitFor();
  });

  test("a card is found by its name in another case, and one that nobody sent is said to be missing", async () => {
    const { page } = await openSignedIn(browser, api, vendor.account, "#/cards");
    const search = page.getByLabel("Find a card by player, member number or ExternalID");
    await search.fill("DELIVERED");
    await page.keyboard.press("Enter");
    await heading(page, "delivered").waitFor();
    await page.goBack();
    await heading(page, en.cards.title).waitFor();
    await search.fill(minimalCard(pipeline.standIn, { ExternalID: "delivered" }).Player.UnionID);
    await search.press("Enter");
    await heading(page, "delivered").waitFor();
    await search.fill("no such card");
    await search.press("Enter");
    await page.getByText(en.cards.notFound("no such card")).waitFor();
  });

  test("the first thing that a card of an unknown player says is that it may not count", async () => {
    const { page, show } = await openSignedIn(browser, api, vendor.account);
    await page.setViewportSize({ width: 390, height: 844 });
    await show(`#/cards/${encodeURIComponent(unknownPlayer)}`);
    const notice = page.getByRole("region", { name: "Look at this card" });
    await notice.waitFor();
    expect((await notice.boundingBox())?.y).toBeLessThan(600);
    expect(await page.locator("h1 ~ .chip").getAttribute("class")).toContain("warned");
  });

  test("a list of cards reads on when its end is scrolled to", async () => {
    const { page, ...portal } = await openSignedIn(browser, api, vendor.account);
    const at = new Date().toISOString();
    await page.route("**/ScorecardExchange?*", (route) => {
      const from = Number(new URL(route.request().url()).searchParams.get("after") ?? "0");
      const delivered = { state: "delivered", version: 1, acceptedAt: at, since: at };
      const names = Array.from({ length: 100 }, (_, place) => `card-${from + place}`);
      const cards = names.map((externalId) => ({ externalId, ...delivered }));
      return route.fulfill({ json: { cards, next: `?from=2026-07-04&to=2026-07-04&after=${from + 100}` } });
    });
    await portal.show("#/cards");
    await page.getByText("card-99", { exact: true }).waitFor();
    expect(await portal.faults()).toEqual([]);
    const cards = page.getByRole("listitem").filter({ hasText: /^card-/ });
    for (const pages of [2, 3]) {
      await cards.last().scrollIntoViewIfNeeded();
      await expect.poll(() => cards.count(), patient).toBeGreaterThanOrEqual(100 * pages);
    }
  });

  test("an operator sees all vendors at a glance, and a vendor does not", async () => {
    const { page, ...portal } = await openSignedIn(browser, api, demoOperator);
    const { responses } = operations.find(({ operationId }) => operationId === "getOverview") as Operation;
    const overview = responses[200]?.content?.["application/json"]?.example as Overview;
    const json = {
      ...overview,
      delivery: { held: true, eventSource: "Disabled" },
      queue: { ...overview.queue, delayed: 2 },
      alarms: [{ name: "scorecards-dead-letters", since: overview.at, text: "Cards were given up." }],
    };
    await page.route("**/Operations/Overview", (route) => route.fulfill({ json }));
    await portal.show("#/operator");
    await page.getByText("tournament-system").first().waitFor();
    const text = await page.getByRole("main").textContent();
    for (const part of [
      "HTTP 503: The exchange answered 503.",
      "scorecards-dead-letters",
      "1,204",
      "2 for their next",
    ]) {
      expect(text).toContain(part);
    }
    expect(await portal.faults()).toEqual([]);
    expect(await page.getByRole("navigation", { name: "Views" }).getByRole("link").allTextContents()).toEqual(
      ["API", "Operator"],
    );
  });

  test("a vendor adds a webhook endpoint, tests it, changes its secret, turns it off and removes it", async () => {
    const endpoint = await startEndpoint();
    const { page, ...portal } = await openSignedIn(browser, api, vendor.account, "#/webhooks");
    await page.getByLabel("Address").fill(endpoint.url);
    await page.getByRole("button", { name: "Add an endpoint" }).click();
    const secretOf = async () => {
      const shown = page.getByRole("region", { name: "Signing secret" });
      await shown.waitFor();
      return (await shown.textContent())?.match(/whsec_\S+?(?=Copy)/)?.[0];
    };
    const first = await secretOf();
    expect(await portal.faults()).toEqual([]);
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByText("The endpoint took the test").waitFor();
    await page.getByText("Took its last event").waitFor();
    expect(endpoint.received).toHaveLength(1);
    await page.getByRole("button", { name: "New secret" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "New secret" }).click();
    await expect.poll(secretOf).not.toBe(first);
    await page.getByRole("button", { name: "I have stored it" }).click();
    const results = page.locator(".action-result");
    const said = async () => (await results.allTextContents()).join("");
    await page.locator("summary", { hasText: "Last attempts" }).click();
    await page.getByText("Taken, HTTP 204").waitFor();
    await page.getByRole("button", { name: "Send again" }).first().click();
    await expect.poll(said).toContain("The event is sent again");
    await expect.poll(() => endpoint.received.length).toBe(2);
    expect(endpoint.received[1]?.headers["webhook-id"]).toBe(endpoint.received[0]?.headers["webhook-id"]);
    await page.getByRole("button", { name: "Disable" }).click();
    await page.getByText("Disabled here").waitFor();
    await page.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("No endpoint yet").waitFor();
    expect(portal.complaints).toEqual([]);
    endpoint.stop();
  });
});
