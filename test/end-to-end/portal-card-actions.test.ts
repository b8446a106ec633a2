import { commandFaults, type Faults } from "@scorecard-pipeline/stand-in";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { dayOf } from "../../core/formats/union-time.ts";
import { settings } from "../../lib/settings.ts";
import { hasChromium, sharedChromium } from "../../local/browser.ts";
import { minimalCard } from "../../local/pipeline/minimal-card.ts";
import { acceptWithoutWakeUp } from "./cards-of-long-ago.ts";
import { openSignedIn } from "./open-portal.ts";
import { type Pipeline, patient, sharedPipelineWithNewVendors, type Vendor } from "./pipeline.ts";
import { rejectCard } from "./reject-card.ts";

/** Skipped only where there is no browser: install Debian's chromium, or name one in the variable CHROMIUM. */
describe.skipIf(!hasChromium)("in Chromium (none found: install it or set CHROMIUM)", () => {
  let pipeline: Pipeline;
  let browser: Browser;
  let vendor: Vendor;
  /** Sends nothing but the cards of lists. */
  let other: Vendor;
  let othersFaults: Faults;
  let api: string;
  /** Of the vendor's posts only. */
  let faults: Faults;

  beforeAll(async () => {
    [pipeline, browser] = await Promise.all([sharedPipelineWithNewVendors(), sharedChromium()]);
    api = pipeline.machine.run.api;
    vendor = pipeline.vendor(0);
    other = pipeline.vendor(1);
    const { standIn } = pipeline;
    faults = standIn.faultsOfVendor(vendor.account.apiSet);
    othersFaults = standIn.faultsOfVendor(other.account.apiSet);
    commandFaults(faults, { poison: { rejected: 422 } });
    await vendor.submit(["delivered", "rejected"].map((ExternalID) => minimalCard(standIn, { ExternalID })));
    await vi.waitFor(async () => {
      expect(await rejectCard(pipeline.machine.run, vendor.account.apiSet, "rejected")).toBe(true);
      expect(await vendor.states(["delivered", "rejected"])).toEqual(["delivered", "rejected"]);
    }, patient);
  });

  afterAll(async () => {
    await pipeline?.stop();
  });

  /** Submits cards, and waits until the list of the day has them: it follows a moment later, and an open page does not read it again. */
  async function submitListed(by: Vendor, names: readonly string[]): Promise<void> {
    await by.submit(names.map((ExternalID) => minimalCard(pipeline.standIn, { ExternalID })));
    await expectListed(by, names);
  }

  async function expectListed(by: Vendor, names: readonly string[]): Promise<void> {
    const listed = async () => {
      const today = dayOf(Date.now(), settings.test.union.timeZone);
      const { cards } = (await by.ask("GET", `ScorecardExchange?from=${today}&to=${today}`)).body;
      return cards.map(({ externalId }: { externalId: string }) => externalId);
    };
    await expect.poll(listed).toEqual(expect.arrayContaining([...names]));
  }

  test("a card whose withdrawal takes a while is never shown as withdrawn before it is, and keeps the keyboard's place", async () => {
    const { page, show } = await openSignedIn(browser, api, vendor.account);
    let state = "queued";
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    await page.route("**/ScorecardExchange/slow", async (route) => {
      if (route.request().method() === "DELETE") {
        state = "withdrawing";
        await answered;
        return route.fulfill({ status: 204 });
      }
      const acceptedAt = "2026-07-04T12:00:00.000Z";
      return route.fulfill({ json: { externalId: "slow", state, version: 1, acceptedAt } });
    });
    await page.route("**/ScorecardExchange/slow/Card", (route) => route.fulfill({ status: 404, body: "" }));
    await show("#/cards/slow");
    await page.getByRole("button", { name: "Withdraw" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
    const result = page.locator(".action-result").filter({ hasText: "Withdrawing" });
    await result.waitFor();
    const chip = page.locator("h1 ~ .chip");
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect.poll(() => chip.textContent()).toBe("Withdrawing");
    expect(await result.textContent()).toContain("It is known within seconds");
    state = "withdrawn";
    answer();
    await expect.poll(() => chip.textContent()).toBe("Withdrawn");
    await page.getByText("The card is withdrawn").waitFor();
    expect(await result.count()).toBe(0);
  });

  test("the strokes of a card are corrected in the page, and the exchange gets the corrected card", async () => {
    await vendor.submit([minimalCard(pipeline.standIn, { ExternalID: "to correct" })]);
    await expect.poll(async () => (await vendor.status("to correct")).state).toBe("delivered");
    const { page, ...portal } = await openSignedIn(browser, api, vendor.account, "#/cards/to%20correct");
    await page.getByRole("button", { name: "Correct strokes" }).click();
    const form = page.getByRole("form", { name: "Correct the strokes" });
    expect(await portal.faults()).toEqual([]);
    await form.getByRole("button", { name: "Send the correction" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("No strokes were changed").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    const first = form.getByLabel("Hole 1", { exact: true });
    const before = Number(await first.inputValue());
    await first.fill(String(before + 1));
    await first.press("Enter");
    await dialog.getByText(`Hole 1: ${before} → ${before + 1}`).waitFor();
    expect((await vendor.status("to correct")).version).toBe(1);
    await dialog.getByRole("button", { name: "Send the correction" }).click();
    await page.getByText("The correction is accepted").waitFor();
    await expect
      .poll(async () => await vendor.status("to correct"))
      .toMatchObject({ state: "delivered", version: 2 });
    const { card } = (await vendor.ask("GET", "ScorecardExchange/to%20correct/Card")).body;
    expect(card.Result.Strokes[0]).toBe(before + 1);
    expect(portal.complaints).toEqual([]);
  });

  test("a rejected card is delivered again if the exchange was at fault, after the page has said what will happen", async () => {
    const { page, ...portal } = await openSignedIn(browser, api, vendor.account, "#/cards/rejected");
    const button = page.getByRole("button", { name: "Deliver again" });
    await button.click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.textContent()).toMatch(/posted once more as it is stored.*send a correction instead/);
    expect(await portal.faults()).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect(await vendor.status("rejected")).toMatchObject({ state: "rejected", version: 1 });
    // The exchange has refused it already: nothing is left to withdraw.
    expect(await page.getByRole("button", { name: "Withdraw" }).count()).toBe(0);
    commandFaults(faults, { poison: {} });
    await button.click();
    await dialog.getByRole("button", { name: "Deliver again" }).click();
    await page.getByText("The card is tried now").waitFor();
    await expect.poll(() => vendor.status("rejected")).toMatchObject({ state: "delivered", version: 2 });
    await page.getByText("Posted, and confirmed by the exchange").waitFor();
    expect(portal.complaints).toEqual([]);
  });

  test("while the exchange is down the portal says since when, why and when next, and a waiting card can be withdrawn", async () => {
    commandFaults(faults, { outage: true });
    await vendor.submit([minimalCard(pipeline.standIn, { ExternalID: "waiting" })]);
    await expect.poll(async () => (await vendor.status("waiting")).paused).toBeDefined();
    const { page, ...portal } = await openSignedIn(browser, api, vendor.account, "#/");
    await page.getByRole("heading", { name: "Delivery is paused" }).waitFor();
    expect(await page.getByRole("region", { name: "Delivery is paused" }).textContent()).toContain("503");
    expect(await portal.faults()).toEqual([]);
    await portal.show("#/cards/waiting");
    await page.getByRole("button", { name: "Deliver now" }).click();
    expect(await portal.faults()).toEqual([]);
    await page.getByRole("dialog").getByRole("button", { name: "Deliver now" }).click();
    await page.getByText("The card is tried now").waitFor();
    await page.getByRole("button", { name: "Withdraw" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect((await vendor.status("waiting")).state).not.toBe("withdrawn");
    await page.getByRole("button", { name: "Withdraw" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw" }).click();
    const result = page.locator(".card-actions .action-result");
    await expect.poll(() => result.textContent()).not.toMatch(/Withdrawing|tried now/);
    const { state } = await vendor.status("waiting");
    // The exchange may have it if the post had no answer.
    expect(await result.textContent()).toContain(
      state === "withdrawn" ? "The card is withdrawn" : "exchange",
    );
    expect(portal.complaints).toEqual([]);
  });

  test("all cards of a list of which nothing was sent are withdrawn, and the page says for which that failed", async () => {
    const names = ["list 1", "list 2", "list 3"];
    const cards = names.map((ExternalID) => minimalCard(pipeline.standIn, { ExternalID }));
    await acceptWithoutWakeUp(pipeline.machine.run, other.account.apiSet, cards);
    await expectListed(other, names);
    const { page, ...portal } = await openSignedIn(browser, api, other.account);
    const detail = "The card has been delivered to the exchange.";
    await page.route("**/ScorecardExchange/list%202", (route) =>
      route.request().method() === "DELETE"
        ? route.fulfill({
            status: 409,
            contentType: "application/problem+json",
            json: { title: "Too late", status: 409, detail },
          })
        : route.continue(),
    );
    await portal.show("#/cards");
    await page.getByRole("button", { name: "Deliver these 3 cards now" }).waitFor();
    await page.getByRole("button", { name: "Withdraw these 3 cards" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.textContent()).toContain("listed here so far");
    expect(await portal.faults()).toEqual([]);
    await dialog.getByRole("button", { name: "Withdraw these 3 cards" }).click();
    const result = page.locator(".card-actions .action-result");
    await expect.poll(() => result.textContent()).toContain("Done for 2 of 3 cards. Not for 1:");
    expect(await result.textContent()).toContain(`list 2: ${detail}`);
    expect(await portal.faults()).toEqual([]);
    const [first, second, third] = await other.states(names);
    expect([first, third, second === "withdrawn"]).toEqual(["withdrawn", "withdrawn", false]);
    expect((await other.ask("DELETE", "ScorecardExchange/list%202")).status).toBe(204);
    expect(portal.complaints).toEqual([]);
  });

  test("all given-up or waiting cards of a list are sent on together, and delivered when the exchange works again", async () => {
    commandFaults(othersFaults, { outage: true });
    const names = ["again 1", "again 2"];
    await submitListed(other, names);
    const { page, ...portal } = await openSignedIn(browser, api, other.account, "#/cards");
    await page.getByRole("button", { name: "Deliver these 2 cards now" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Deliver these 2 cards now" }).click();
    await page.getByText("Done for 2 of 2 cards.").waitFor();
    // Not before: cards that come back by themselves meanwhile have nothing to be delivered.
    commandFaults(othersFaults, { outage: false });
    await expect.poll(() => other.states(names)).toEqual(["delivered", "delivered"]);
    // Nothing is left to be done with the list.
    await expect.poll(() => page.getByRole("button", { name: /these/ }).count()).toBe(0);
    expect(portal.complaints).toEqual([]);
  });
});
