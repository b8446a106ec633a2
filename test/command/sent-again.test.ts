import { PassThrough } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import { readRoundFacts } from "@scorecard-pipeline/card-files/base/round-facts";
import { tournamentIdOf } from "@scorecard-pipeline/card-files/base/tournament-id";
import type { Reading } from "@scorecard-pipeline/card-files/reading/reading";
import type { ScorecardsClient } from "@scorecard-pipeline/scorecards-client";
import { expect, test } from "vitest";
import type { SubmitOptions } from "../../command/submit/submit-options.ts";
import { submitTable } from "../../command/submit/submit-table.ts";
import {
  type DrawnCard,
  drawCards,
  drawFrom,
  textOfIndex,
} from "../packages/card-files/reading/drawn-field.ts";
import { read, textFile } from "../packages/card-files/reading/read-cards.ts";

type Card = { readonly ExternalID: string };

/** How often a person was shown a card with the one that replaces it. */
interface Shown {
  readonly result: object;
  readonly replaced: number;
}

/** Sends a table by the command, which works on its rows as the portal does; its lines say what it does. */
async function submit(
  reading: Reading,
  name: string,
  client: ScorecardsClient,
  anyCorrection: boolean,
): Promise<Shown> {
  const lines: string[] = [];
  const tell = (line: string | readonly string[]) => void lines.push(...[line].flat());
  const terminal = {
    result: tell,
    note: tell,
    progress: new PassThrough(),
    signal: new AbortController().signal,
  };
  const options = { parallel: 1, patience: 0, ...(anyCorrection && { anyCorrection }) } as const;
  await submitTable(name, { reading, sums: [] }, options as SubmitOptions, client, terminal as never);
  const find = (form: RegExp) => lines.flatMap((line) => form.exec(line)?.slice(1) ?? []);
  const common = find(/^(\d+) of \d+ rows have the warning (\w+)/);
  const counts = find(/^(\d+) new, (\d+) corrected, (\d+) unchanged(?:, (\d+) of another)?/);
  const [added, corrected, unchanged, replaced] = counts.map((count = "0") => Number(count));
  const held = Number(find(/^(\d+) cards? not sent, because a sent card/)[0] ?? 0);
  return {
    result:
      common.length > 0
        ? { common: [common.join(" ")] }
        : { new: added, corrected, unchanged, replaced, held },
    replaced: find(/^(Replaces what was sent)/).length,
  };
}

/** A pipeline that stores what is sent to it, and tells what a card corrects. */
function startPipeline() {
  const stored = new Map<string, Card>();
  const overwritten: string[] = [];
  const changed = (before: unknown, now: unknown) => {
    const [one, other] = [readRoundFacts(before), readRoundFacts(now)];
    return [
      ...(one.player === other.player ? [] : ["player"]),
      ...(one.day === other.day ? [] : ["day"]),
      ...(one.strokes.join() === other.strokes.join() ? [] : ["strokes"]),
    ];
  };
  const client = {
    async validate(texts: readonly string[]) {
      const cards = texts.map((text, index) => {
        const { ExternalID: externalId, ...card } = JSON.parse(text) as Card;
        const before = stored.get(externalId);
        const isOther = before !== undefined && !isDeepStrictEqual(before, JSON.parse(text));
        const corrects = isOther && { version: 1, changed: changed(before, card) };
        const isSeen = [...stored].some(
          ([name, one]) => name !== externalId && changed(one, card).length === 0,
        );
        const warnings = isSeen ? [{ code: "round_seen", detail: "" }] : [];
        return { index, externalId, status: 201, warnings, ...(corrects && { corrects }) };
      });
      return { cards };
    },
    async *submitInParts(texts: AsyncIterable<string>) {
      const entries = [];
      for await (const text of texts) {
        const card = JSON.parse(text) as Card;
        const before = stored.get(card.ExternalID);
        if (before !== undefined && !isDeepStrictEqual(before, card)) overwritten.push(card.ExternalID);
        stored.set(card.ExternalID, card);
        entries.push({ index: entries.length, externalId: card.ExternalID, status: 201, warnings: [] });
      }
      yield entries;
    },
    statuses: async (names: readonly string[]) =>
      names.map((externalId) => ({
        externalId,
        state: stored.has(externalId) ? "delivered" : "unknown",
        acceptedAt: "2026-11-27T14:02:00.000Z",
      })),
    async *tournamentCards(id: string, { from, to }: { readonly from: string; readonly to: string }) {
      // The API lists no more days at once.
      expect(Date.parse(to) - Date.parse(from)).toBeLessThan(31 * 86_400_000);
      for (const [externalId, card] of stored) {
        const { tournament, day = "", name } = readRoundFacts(card);
        if ((await tournamentIdOf(tournament)) === id && day >= from && day <= to)
          yield { externalId, state: "delivered", day, playerName: name };
      }
    },
    card: async (externalId: string) => ({ card: stored.get(externalId) }),
  } as unknown as ScorecardsClient;
  /** Sends a table as a person does who takes every default. @returns what was told of it before */
  async function send(
    text: string,
    drawn: readonly DrawnCard[],
    name = "resultater.csv",
    anyCorrection = false,
  ) {
    const before = overwritten.length;
    const { result, replaced } = await submit(
      await read(textFile(text, name), drawn),
      name,
      client,
      anyCorrection,
    );
    // No card is replaced that was not shown.
    expect(overwritten.length - before).toBeLessThanOrEqual(replaced);
    return result;
  }
  /** No player's round stands there twice. */
  const rounds = () => {
    const all = [...stored.values()].map((card) => {
      const { player, day, strokes } = readRoundFacts(card);
      return `${player} ${day} ${strokes.join()}`;
    });
    expect(new Set(all).size).toBe(all.length);
    return all.length;
  };
  return { send, rounds };
}

const head = ["Spiller", "Medlemsnr.", "HCP", "Banehandicap", "Tee", "Dato", "Markør"];
const holes = Array.from({ length: 18 }, (_, hole) => `H${hole + 1}`);

interface Written {
  readonly title?: string;
  readonly day?: string;
  /** Columns and cells before the others. */
  readonly first?: readonly [name: string, cell: (place: number) => string];
}

const write = (
  cards: readonly DrawnCard[],
  { title = "Onsdagsmatch", day = "25.11.2026", first }: Written = {},
) =>
  [
    [title],
    ["Bogø Golf Klub, Skovbanen"],
    [...(first ? [first[0]] : []), ...head, ...holes],
    ...cards.map(({ player, courseHandicap, tee, marker, strokes }, place) => [
      ...(first ? [first[1](place)] : []),
      player.name,
      player.unionId,
      textOfIndex(player.index),
      courseHandicap,
      tee.name,
      day,
      marker,
      ...strokes,
    ]),
  ]
    .map((row) => row.map(String).join(";"))
    .join("\r\n");

const drawn = drawCards(drawFrom(11), { players: 8 });
const mended = (card: DrawnCard, change: Partial<DrawnCard["player"]>): DrawnCard => ({
  ...card,
  player: { ...card.player, ...change },
});
const none = { new: 0, corrected: 0, unchanged: 0, replaced: 0, held: 0 };

test("next week's table of the same name and title is of new rounds", async () => {
  const { send, rounds } = startPipeline();
  expect(await send(write(drawn), drawn)).toEqual({ ...none, new: 8 });
  expect(await send(write(drawn, { day: "18.11.2026" }), drawn)).toEqual({ ...none, new: 8 });
  expect(rounds()).toBe(16);
});

test("a table that is sorted otherwise, or has another file name, changes nothing", async () => {
  const { send, rounds } = startPipeline();
  await send(write(drawn), drawn);
  expect(await send(write(drawn.toReversed()), drawn)).toEqual({ ...none, unchanged: 8 });
  expect(await send(write(drawn), drawn, "endelig.csv")).toEqual({ ...none, unchanged: 8 });
  expect(rounds()).toBe(8);
});

test("a late row above the others is one new card", async () => {
  const { send, rounds } = startPipeline();
  await send(write(drawn.slice(1)), drawn);
  expect(await send(write(drawn), drawn)).toEqual({ ...none, new: 1, unchanged: 7 });
  expect(rounds()).toBe(8);
});

test("two tournaments that are exported under one file name stay two", async () => {
  const { send, rounds } = startPipeline();
  const others = drawCards(drawFrom(12), { players: 8 });
  await send(write(drawn), drawn);
  expect(await send(write(others, { title: "Torsdagsmatch" }), others)).toEqual({ ...none, new: 8 });
  expect(rounds()).toBe(16);
});

test("a table of 150 cards that were sent under other names, as by an earlier version, posts no round twice", async () => {
  const { send, rounds } = startPipeline();
  const many = drawCards(drawFrom(13), { players: 150 });
  await send(write(many, { first: ["Kort", (place) => `k-${place}`] }), many);
  expect(await send(write(many), many)).toEqual({ ...none, unchanged: 150 });
  expect(rounds()).toBe(150);
});

test("rounds of no tournament that were sent under other names are one question about the table", async () => {
  const { send, rounds } = startPipeline();
  await send(write(drawn, { title: "Resultat", first: ["Kort", (place) => `k-${place}`] }), drawn);
  expect(await send(write(drawn, { title: "Resultat" }), drawn)).toEqual({ common: ["8 round_seen"] });
  expect(rounds()).toBe(8);
});

test("a mended stroke corrects its card, which is shown with both", async () => {
  const { send, rounds } = startPipeline();
  await send(write(drawn), drawn);
  const [first, ...rest] = drawn as [DrawnCard, ...DrawnCard[]];
  const strokes = first.strokes.with(0, (first.strokes[0] ?? 0) + 1);
  expect(await send(write([{ ...first, strokes }, ...rest]), drawn)).toEqual({
    ...none,
    corrected: 1,
    unchanged: 7,
  });
  expect(rounds()).toBe(8);
});

test("a mended member number replaces the card of the same name, day and strokes, once a person has said so", async () => {
  const { send, rounds } = startPipeline();
  const [first, ...rest] = drawn as [DrawnCard, ...DrawnCard[]];
  await send(write([mended(first, { unionId: "32-77" }), ...rest]), drawn);
  expect(await send(write(drawn), drawn)).toEqual({ ...none, replaced: 1, unchanged: 7, held: 1 });
  expect(rounds()).toBe(8);
  expect(await send(write(drawn), drawn, "resultater.csv", true)).toMatchObject({ replaced: 1, held: 0 });
  const strokes = first.strokes.with(0, (first.strokes[0] ?? 0) + 1);
  expect(await send(write([{ ...first, strokes }, ...rest]), drawn)).toMatchObject({ new: 0, corrected: 1 });
  expect(rounds()).toBe(8);
});

test("a day that is mistyped by years costs its row, not the comparison of the others", async () => {
  const { send } = startPipeline();
  const text = write(drawn);
  const at = text.lastIndexOf("25.11.2026");
  const mistyped = `${text.slice(0, at)}25.11.2019${text.slice(at + 10)}`;
  expect(await send(mistyped, drawn)).toEqual({ ...none, new: 8 });
});

test("a table whose own column names the cards by their rows is stopped if it comes in another order", async () => {
  const { send, rounds } = startPipeline();
  const first = ["Kort", (place: number) => `k-${place}`] as const;
  await send(write(drawn, { first }), drawn);
  await expect(send(write(drawn.toReversed(), { first }), drawn)).rejects.toThrow(
    /^resultater\.csv has another order than the one sent at 2026-11-27 14:02: 8 of its rows/,
  );
  expect(rounds()).toBe(8);
});
