import { expect, test } from "vitest";
import { type DrawnCard, drawCards, drawFrom, pointsOf, sum, textOfIndex } from "./drawn-field.ts";
import { cardsOf, compared, read, textFile } from "./read-cards.ts";

type Cell = string | number;

const holes = Array.from({ length: 18 }, (_, hole) => hole + 1);
const head = ["Spiller", "Medlemsnr.", "HCP", "Banehandicap", "Tee", "Dato", "Markør"];
const dateOf = ({ day }: DrawnCard) => day.split("-").toReversed().join(".");
/** The cells of a card before its holes, of which some may be written otherwise. */
const start = (card: DrawnCard, otherwise: Readonly<Record<number, Cell>> = {}): Cell[] =>
  [
    card.player.name,
    card.player.unionId,
    textOfIndex(card.player.index),
    card.courseHandicap,
    card.tee.name,
    dateOf(card),
    card.marker,
  ].map((cell, place) => otherwise[place] ?? cell);
const table = (rows: readonly (readonly Cell[])[], separator = ";") =>
  textFile([["Klubmesterskab"], ["Bogø Golf Klub"], ...rows].map((row) => row.join(separator)).join("\r\n"));
const perHole = (write: (card: DrawnCard) => readonly Cell[], headings: readonly Cell[] = holes) =>
  kindOf([...head, ...headings], (card) => [[...start(card), ...write(card)]]);
const perStart = (write: (card: DrawnCard) => Readonly<Record<number, Cell>>) =>
  kindOf([...head, ...holes], (card) => [[...start(card, write(card)), ...card.strokes]]);
const kindOf =
  (heading: readonly Cell[], rowsOf: (card: DrawnCard) => readonly (readonly Cell[])[], separator = ";") =>
  (cards: readonly DrawnCard[]) =>
    table([heading, ...cards.flatMap(rowsOf)], separator);
const nines = ({ strokes }: DrawnCard) => [strokes.slice(0, 9), strokes.slice(9)] as const;
const memberOf = ({ player }: DrawnCard) => player.unionId.split("-") as [string, string];
const serial = ({ day }: DrawnCard) => (Date.parse(day) - Date.parse("1899-12-30")) / 86_400_000;
const blank = head.map(() => "");

/** Ways in which programs write cells, each with the file that has them. */
const kinds = {
  "strokes received as stars: 5*": perHole(({ strokes, received }) =>
    strokes.map((one, hole) => `${one}${"*".repeat(Math.max(0, received[hole] ?? 0))}`),
  ),
  "strokes and points in a cell: 5/2": perHole((card) =>
    card.strokes.map((one, hole) => `${one}/${pointsOf(card)[hole]}`),
  ),
  "strokes and points in a cell: 5 (2)": perHole((card) =>
    card.strokes.map((one, hole) => `${one} (${pointsOf(card)[hole]})`),
  ),
  "points and strokes in a cell: 2/5": perHole((card) =>
    card.strokes.map((one, hole) => `${pointsOf(card)[hole]}/${one}`),
  ),
  "strokes as decimal numbers: 5,00": perHole(({ strokes }) => strokes.map((one) => `${one},00`)),
  "headings with par and index: Hole 1 (Par 4, SI 7)": perHole(
    ({ strokes }) => strokes,
    holes.map((hole) => `Hole ${hole} (Par 4, SI ${hole})`),
  ),
  "putts beside strokes": perHole(
    ({ strokes }) => strokes.flatMap((one) => [one, 2]),
    holes.flatMap((hole) => [`Hole ${hole}`, `Putts ${hole}`]),
  ),
  "holes 1 to 9 twice": perHole(({ strokes }) => strokes, [...holes.slice(0, 9), ...holes.slice(0, 9)]),
  "a round in a cell: 5 4 3": perHole(({ strokes }) => [strokes.join(" ")], ["Score"]),
  "a round in a cell: 5,4,3": perHole(({ strokes }) => [strokes.join(",")], ["Slag"]),
  "a round in a cell: 543": perHole(
    ({ strokes }) => [strokes.map((one) => Math.min(9, one)).join("")],
    ["Slag"],
  ),
  "a nine in a cell": perHole((card) => nines(card).map((nine) => nine.join(" ")), ["Ud", "Ind"]),
  "a line for each nine": kindOf([...head, ...holes.slice(0, 9)], (card) => [
    [...start(card), ...nines(card)[0]],
    [...blank, ...nines(card)[1]],
  ]),
  "a line for each nine, by a word": kindOf([...head, "Halvdel", ...holes.slice(0, 9)], (card) => [
    [...start(card), "Ud", ...nines(card)[0]],
    [...start(card), "Ind", ...nines(card)[1]],
  ]),
  "members' numbers beside their names: Bo Bunker (32-7)": kindOf(
    [...head.filter((one) => one !== "Medlemsnr."), ...holes],
    (card) => [
      [
        `${card.player.name} (${card.player.unionId})`,
        ...start(card, { 6: `${card.marker}, Uwe Fairway` }).slice(2),
        ...card.strokes,
      ],
    ],
  ),
  "a column without a heading before the holes": kindOf([...head, "", ...holes], (card) => [
    [...start(card), "", ...card.strokes],
  ]),
  "dates such as lørdag den 4. juli 2026": perStart(({ day }) => ({
    5: `lørdag den ${Number(day.slice(8))}. juli ${day.slice(0, 4)}`,
  })),
  "members' numbers with a dash and blanks: 32 – 7": perStart((card) => ({
    1: memberOf(card).join(" – "),
    6: card.marker.replace("-", "–"),
  })),
  'members\' numbers that Excel must not change: ="32-7"': perStart((card) => ({
    1: `="${card.player.unionId}"`,
    6: `'${card.marker}`,
  })),
  "the club's number in a column of its own": kindOf([...head, "Klubnr", ...holes], (card) => [
    [...start(card, { 1: memberOf(card)[1] }), memberOf(card)[0], ...card.strokes],
  ]),
  "dates as Excel's numbers: 46207": perStart((card) => ({ 5: serial(card) })),
  "dates with the year first: 26-07-04": perStart(({ day }) => ({ 5: day.slice(2) })),
  "a column for each player": (cards: readonly DrawnCard[]) => {
    const rows = [
      [...head, ...holes.map((hole) => `Hul ${hole}`)],
      ...cards.map((card) => [...start(card), ...card.strokes]),
    ];
    return table(rows[0]?.map((_, place) => rows.map((row) => row[place] ?? "")) ?? []);
  },
};

const right = (cards: readonly DrawnCard[]): Record<string, unknown>[] =>
  cards.map((card) => ({ ...compared(card), start: `${card.day.replaceAll("-", "")}T000000` }));

test.each(Object.entries(kinds))("a table with %s is read without a question", async (_, write) => {
  const cards = drawCards(drawFrom(11), { players: 12 }).map((card) => ({
    ...card,
    strokes: card.strokes.map((one) => Math.min(9, one)),
  }));
  const reading = await read(write(cards), cards);
  expect(reading.questions).toEqual([]);
  expect(cardsOf(reading)).toEqual(right(cards));
});

test("holes 1 to 36 of a row are two rounds", async () => {
  const cards = drawCards(drawFrom(11), { players: 6, rounds: 2 });
  const rounds = [...Map.groupBy(cards, ({ player }) => player.unionId).values()];
  const heading = [...head, ...holes, ...holes.map((hole) => hole + 18)];
  const rows = rounds.map((round) => [
    ...start(round[0] as DrawnCard),
    ...round.flatMap(({ strokes }) => strokes),
  ]);
  const reading = await read(table([heading, ...rows]), cards);
  expect(cardsOf(reading).map(({ strokes }) => strokes)).toEqual(cards.map(({ strokes }) => strokes));
});

test("a row of zeros or dashes is nobody's round, and holes after WD were not played", async () => {
  const cards = drawCards(drawFrom(11), { players: 6 });
  const written = (place: number, hole: number, one: Cell): Cell => {
    if (place === 1) return 0;
    if (place === 2) return "-";
    return place === 3 && hole >= 12 ? "WD" : one;
  };
  const rows = cards.map((card, place) => [
    ...start(card),
    ...card.strokes.map((one, hole) => written(place, hole, one)),
  ]);
  const reading = await read(table([[...head, ...holes], ...rows]), cards);
  expect(reading.aside.filter(({ reason }) => reason === "noRound").map(({ number }) => number)).toEqual([
    5, 6,
  ]);
  const [first, third, ...others] = cardsOf(reading);
  expect(first).toEqual(right(cards)[0]);
  expect(third?.strokes).toEqual([...(cards[3]?.strokes.slice(0, 12) ?? []), -1, -1, -1, -1, -1, -1]);
  expect(others).toHaveLength(2);
});

test("a plus handicap and its Course Handicap are below 0", async () => {
  const cards = drawCards(drawFrom(11), { players: 6 });
  const [plus] = cards;
  const write = (card: DrawnCard): Record<number, Cell> => (card === plus ? { 2: "+1,2", 3: "+1" } : {});
  const reading = await read(perStart(write)(cards), cards);
  expect(cardsOf(reading)[0]).toMatchObject({ index: -12_000, courseHandicap: -1 });
});

test("the sums of a row that tell strokes from points stay right where holes have signs", async () => {
  const cards = drawCards(drawFrom(11), { players: 12 });
  const rows = cards.map((card) => [
    ...start(card),
    ...card.strokes.map((one) => `${one}'`),
    sum(card.strokes),
  ]);
  const reading = await read(table([[...head, ...holes, "Total"], ...rows]), cards);
  expect(cardsOf(reading)).toEqual(right(cards));
});

test("a table with two players in a row is asked whose the cards are", async () => {
  const cards = drawCards(drawFrom(11), { players: 6 });
  const heading = ["Spiller 1", "Medlem 1", "Spiller 2", "Medlem 2", ...head.slice(2), ...holes];
  const rows = cards.map((card, place) => {
    const { player } = cards[(place + 1) % cards.length] ?? card;
    return [
      ...start(card).slice(0, 2),
      player.name,
      player.unionId,
      ...start(card).slice(2),
      ...card.strokes,
    ];
  });
  const { questions } = await read(table([heading, ...rows]), cards);
  expect(questions.map(({ id, about }) => [id, about])).toEqual([["columns", "Player/UnionID"]]);
});
