import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { UnionMember } from "@scorecard-pipeline/stand-in";
import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import writeExcelFile from "write-excel-file/node";
import { hasChromium, sharedChromium } from "../../local/browser.ts";
import { playableTee } from "../../local/pipeline/minimal-card.ts";
import { en as words } from "../../portal/texts/tables/en.ts";
import { markerOf } from "../../unions/conformance/smallest-card.ts";
import { proofSeed } from "../proofs/proof-seed.ts";
import { openPortal } from "./open-portal.ts";
import { type Pipeline, startPipeline } from "./pipeline.ts";

const players = 288;
const rounds = 2;
const day = 86_400_000;
const cup = "Club Championship";
const header = ["Player", "Member No", "Handicap Index", "Tee", "Date", "Round", "Marker"];
const holes = Array.from({ length: 18 }, (_, hole) => String(hole + 1));
const columns = [...header, ...holes, "Total"];
/** Rows of titles above the heading. */
const titleRows = 2;

type Cells = Record<string, string>;

/** A card as the exchange has it, as far as the table says it. */
interface ReceivedCard {
  readonly HCP: string;
  readonly Player: { readonly UnionID: string };
  readonly Course: { readonly TeeID: string };
  readonly Round: { readonly StartTime: string; readonly TournamentRoundNumber: number };
  readonly Result: { readonly Strokes: readonly number[] };
}

const mistakes: readonly (readonly [column: string, cell: string])[] = [
  ["Handicap Index", "scratch"],
  ["Handicap Index", ""],
  ["Member No", "32/1"],
  ["Member No", ""],
  ["Marker", ""],
  ["Date", "2026-02-31"],
  ["Date", "2099-12-24"],
  ["7", "five"],
  ["12", "x4"],
  ["18", "44"],
  ["Total", "999"],
  ["Total", "7"],
];

describe.skipIf(!hasChromium)("in Chromium (none found: install it or set CHROMIUM)", () => {
  let pipeline: Pipeline;
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    [pipeline, browser] = await Promise.all([startPipeline(), sharedChromium()]);
    folder = await mkdtemp(join(tmpdir(), "championship-"));
  });
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true });
    await pipeline?.stop();
  });

  test("288 men and women on four tees, two rounds, twelve mistakes: sent, mended and reported with at most twenty clicks, each card right", async () => {
    const { standIn } = pipeline;
    const { course } = playableTee(standIn);
    const random = seededRandom(proofSeed ?? 1, "championship");
    const genderOf = ({ Gender }: UnionMember) => (Gender === "Female" ? 1 : 2);
    const teesOf = (gender: number) => course.Tees.filter(({ Gender }) => Gender === gender).slice(0, 2);
    const field = random
      .shuffled(
        standIn.members.filter(
          ({ HandicapStatus, RightToPlay, Memberships: [home] }) =>
            HandicapStatus === 3 && RightToPlay && home !== undefined && home.Type !== 7,
        ),
      )
      .slice(0, players);
    const drawn = field.flatMap((member, place) => {
      const tees = teesOf(genderOf(member));
      const tee = tees[place % tees.length];
      if (tee === undefined) throw new Error("The course has no tee for the player.");
      return Array.from({ length: rounds }, (_, round) => ({
        member,
        tee,
        round: round + 1,
        date: new Date(Date.now() - (rounds - round) * day).toISOString().slice(0, 10),
        strokes: tee.Holes.map(({ Par }) => Par + random.whole(0, 2)),
        marker: field[(place + 1) % field.length] as UnionMember,
      }));
    });
    expect(new Set(drawn.map(({ tee }) => tee.ID)).size).toBe(4);
    const rows = drawn.map(({ member, tee, round, date, strokes, marker }): Cells => {
      const { FullName, UnionID } = markerOf(member);
      return {
        Player: FullName,
        "Member No": UnionID,
        "Handicap Index": (Number(member.Handicap) / 10_000).toFixed(1),
        Tee: tee.Name,
        Date: date,
        Round: String(round),
        Marker: markerOf(marker).UnionID,
        ...Object.fromEntries(holes.map((hole, place) => [hole, String(strokes[place])])),
        Total: String(strokes.reduce((sum, one) => sum + one, 0)),
      };
    });
    const right = new Map<number, readonly [column: string, cell: string]>();
    for (const [place, [column, cell]] of mistakes.entries()) {
      const at = 20 + place * 41;
      right.set(at + titleRows + 2, [column, String(rows[at]?.[column])]);
      rows[at] = { ...rows[at], [column]: cell };
    }
    const clubName = standIn.clubs.find(({ ID }) => ID === course.ClubID)?.Name ?? "";
    const texts = [
      [cup],
      [`${clubName}, ${course.Name}`],
      columns,
      ...rows.map((row) => columns.map((name) => row[name] ?? "")),
    ];
    const path = join(folder, "championship.xlsx");
    await writeExcelFile(texts.map((row) => row.map((value) => ({ value, type: String })))).toFile(path);

    const portal = await openPortal(browser, pipeline.machine.run.api, "#/send");
    const { page } = portal;
    await portal.signIn(pipeline.vendor(0).account);
    const chooseFile = page.getByRole("button", { name: words.drop.choose });
    await chooseFile.waitFor();
    await page.evaluate(
      "window.clicks = 0; addEventListener('pointerdown', () => { window.clicks += 1; }, true)",
    );
    const [chooser] = await Promise.all([page.waitForEvent("filechooser"), chooseFile.click()]);
    await chooser.setFiles(path);
    await page.getByRole("button", { name: words.columns.check, disabled: false }).click();
    const faulty = page
      .locator(".tile", { has: page.locator("dt", { hasText: words.rows.tiles.faulty }) })
      .locator(".figure");
    await expect.poll(() => faulty.textContent()).toBe(String(mistakes.length));
    for (const [number, [column, cell]] of right) {
      const mended = page.locator(`[id="beside-${number}-${column}"]`);
      await mended.click();
      await mended.fill(cell);
      await page.keyboard.press("Tab");
    }
    await expect.poll(() => faulty.textContent()).toBe("0");
    const label = words.send.button(String(drawn.length));
    await page.getByRole("button", { name: label, disabled: false }).click();
    await page.getByRole("dialog").getByRole("button", { name: label }).click();
    await page.getByText(words.send.done(String(drawn.length))).waitFor();
    await page.getByRole("link", { name: cup }).click();
    await expect
      .poll(() => page.locator(".tile", { hasText: "Delivered" }).first().locator(".figure").textContent())
      .toBe(String(drawn.length));
    await page.evaluate("window.print = () => { document.title = 'printed'; }");
    await page.getByRole("button", { name: "Print the report" }).click();
    await expect.poll(() => page.title()).toBe("printed");
    expect(await page.evaluate("window.clicks")).toBeLessThanOrEqual(20);

    const received = standIn.received.map(({ card }) => card as ReceivedCard);
    const factsOf = (card: ReceivedCard) => ({
      player: card.Player.UnionID,
      round: card.Round.TournamentRoundNumber,
      day: card.Round.StartTime.slice(0, 8),
      index: Number(card.HCP),
      tee: card.Course.TeeID,
      strokes: card.Result.Strokes.join(),
    });
    const byCard = (one: { player: string; round: number }, other: { player: string; round: number }) =>
      one.player.localeCompare(other.player) || one.round - other.round;
    expect(received.map(factsOf).toSorted(byCard)).toEqual(
      drawn
        .map(({ member, tee, round, date, strokes }) => ({
          player: markerOf(member).UnionID,
          round,
          day: date.replaceAll("-", ""),
          index: Number(member.Handicap),
          tee: tee.ID,
          strokes: strokes.join(),
        }))
        .toSorted(byCard),
    );
    expect(portal.complaints).toEqual([]);
  });
});
