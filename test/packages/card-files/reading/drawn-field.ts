import type { Course, Tee } from "@scorecard-pipeline/scorecards-client";
import type { UnionClient } from "../../../../packages/card-files/reading/consult-union.ts";
import {
  courseHandicapBy,
  strokesOnHoles,
  type TeeChoice,
  teesOf,
} from "../../../../packages/card-files/reading/tees.ts";

/** A generator of numbers that are the same each time. */
export type Draw = (below: number) => number;

/** Numbers drawn from a seed (mulberry32). */
export function drawFrom(seed: number): Draw {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below;
  };
}

function fail(): never {
  throw new Error("The course has no such tee.");
}

const whole = (draw: Draw, below: number) => Math.floor(draw(below));

const pars = [4, 5, 3, 4, 4, 3, 4, 5, 4, 4, 3, 5, 4, 4, 4, 3, 5, 4];
const indexes = [7, 13, 17, 1, 9, 15, 3, 11, 5, 8, 18, 12, 2, 6, 10, 16, 14, 4];

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

const tee = (
  number: number,
  Name: string,
  Gender: 1 | 2,
  CourseRating: number,
  SlopeRating: number,
): Tee => ({
  ID: id(number),
  Name,
  Gender,
  TotalLength: 5_000,
  CourseRating,
  SlopeRating,
  IsNineHole: false,
  Holes: pars.map((Par, place) => ({
    Number: place + 1,
    Par,
    Index: indexes[place] ?? 0,
    Length: 300,
  })) as Tee["Holes"],
});

/** A course whose middle tees are rated for men and women. */
const course: Course = {
  TemplateID: id(1),
  ClubID: id(2),
  Name: "Skovbanen",
  NumberOfHoles: 18,
  ActivationDate: "20200101T000000",
  IsActive: true,
  IsHcpQualifying: true,
  IsVisible: true,
  Version: 1,
  ID: id(3),
  Tees: [
    tee(11, "Hvid", 2, 741_000, 139),
    tee(12, "Gul", 2, 718_000, 131),
    tee(13, "Blå", 2, 697_000, 126),
    tee(14, "Blå", 1, 752_000, 137),
    tee(15, "Rød", 2, 672_000, 119),
    tee(16, "Rød", 1, 722_000, 128),
  ],
};

/** The union as the tests' tables know it. */
const clubName = "Bogø Golf Klub";

/** A player with a card of one round. */
export interface DrawnCard {
  readonly player: {
    readonly name: string;
    readonly unionId: string;
    readonly gender: 1 | 2;
    readonly index: number;
  };
  readonly marker: string;
  /** `2026-07-04`. */
  readonly day: string;
  /** `08:10`. */
  readonly time: string;
  readonly round: number;
  readonly tee: TeeChoice;
  readonly courseHandicap: number;
  /** 0 for a ball that was picked up. */
  readonly strokes: readonly number[];
  /** Strokes received. */
  readonly received: readonly number[];
}

const firstNames = {
  1: ["Karen", "Åse", "Lone", "Mette", "Birgit"],
  2: ["Bo", "Jørgen", "Søren", "Pär", "Uwe"],
};
const lastNames = ["Bunker", "Kjær", "Østergård", "Müller", "Skovgaard", "Fairway"];

/** How cards are drawn. */
export interface FieldOptions {
  readonly players: number;
  readonly rounds?: number;
  readonly day?: string;
  /** Share of the holes that were picked up. */
  readonly pickUps?: number;
  readonly men?: boolean;
}

const pad = (number: number) => String(number).padStart(2, "0");

function drawStrokes(draw: Draw, received: readonly number[], pickUps: number): number[] {
  return pars.map((par, place) => {
    if (draw(1) < pickUps) return 0;
    return Math.max(1, par + (received[place] ?? 0) + ([-1, 0, 0, 0, 1, 1, 2][whole(draw, 7)] ?? 0));
  });
}

/** Draws the cards of a tournament. */
export function drawCards(
  draw: Draw,
  { players, rounds = 1, day = "2026-07-04", pickUps = 0, men = false }: FieldOptions,
): DrawnCard[] {
  const tees = teesOf(course);
  return Array.from({ length: players }, (_, place) => {
    const gender = men || draw(1) < 0.6 ? 2 : 1;
    const [first = "", last = ""] = [firstNames[gender][whole(draw, 5)], lastNames[whole(draw, 6)]];
    const index = 10_000 + whole(draw, 350) * 1_000;
    const ofGender = tees.filter((one) => one.gender === gender);
    const chosen = ofGender[whole(draw, ofGender.length)] ?? fail();
    const courseHandicap = courseHandicapBy(index, chosen);
    const received = strokesOnHoles(courseHandicap, chosen.indexes);
    const player = { name: `${first} ${last}`, unionId: `32-${1_000 + place}`, gender, index } as const;
    return Array.from(
      { length: rounds },
      (__, round): DrawnCard => ({
        player,
        marker: `32-${1_000 + ((place + 1) % players)}`,
        day: new Date(Date.parse(day) + round * 86_400_000).toISOString().slice(0, 10),
        time: `${pad(8 + (Math.floor(place / 6) % 10))}:${pad((place % 6) * 10)}`,
        round: round + 1,
        tee: chosen,
        courseHandicap,
        strokes: drawStrokes(draw, received, pickUps),
        received,
      }),
    );
  }).flat();
}

/** A client that knows the course, and the players of cards; it counts what it is asked. */
export function unionOf(cards: readonly DrawnCard[]): UnionClient & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    clubs: async () => [
      { ID: id(2), UnionNumber: 32, Name: clubName, ShortName: "BGK" },
      { ID: id(4), UnionNumber: 33, Name: "Anden Golf Klub", ShortName: "AGK" },
    ],
    // Of a day that does not exist, and of one long after today, the union has none.
    courses: async (clubId, { inforce = "" } = {}) =>
      clubId === id(2) && /^2026(?!0231)/.test(inforce) ? [course] : [],
    async golfer({ unionID = "" }) {
      asked.push(unionID);
      const { player } = cards.find((card) => card.player.unionId === unionID) ?? {};
      const [FirstName = "", LastName = ""] = player?.name.split(" ") ?? [];
      return {
        FirstName,
        LastName,
        Gender: player === undefined ? "" : player.gender === 1 ? "Female" : "Male",
        Handicap: String(player?.index ?? ""),
      } as Awaited<ReturnType<UnionClient["golfer"]>>;
    },
  };
}

/** An index as a table has it. */
export const textOfIndex = (index: number, comma = ","): string =>
  (index / 10_000).toFixed(1).replace(".", comma);

/** Points of each hole. */
export const pointsOf = ({ strokes, received, tee: { pars: ofTee } }: DrawnCard): number[] =>
  strokes.map((one, place) =>
    one === 0 ? 0 : Math.max(0, (ofTee[place] ?? 0) + 2 + (received[place] ?? 0) - one),
  );

/** The sum of some numbers. */
export const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
