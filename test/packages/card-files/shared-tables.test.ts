import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ApiError } from "@scorecard-pipeline/scorecards-client";
import { describe, expect, test } from "vitest";
import type { UnionClient } from "../../../packages/card-files/reading/consult-union.ts";
import type { Answers } from "../../../packages/card-files/reading/reading.ts";
import { inventUnion } from "../../../packages/stand-in/index.ts";
import { answerTable } from "./reading/read-cards.ts";

const folder = join(import.meta.dirname, "../../../../shared/data/tables");
const isThere = existsSync(folder);

interface Register {
  readonly clubs: readonly { readonly ID: string }[];
  readonly courses: readonly { readonly ClubID: string; readonly IsActive: boolean }[];
  readonly members: readonly {
    readonly LifeTimeID?: string;
    readonly Memberships: readonly { readonly UnionID: string }[];
  }[];
}

/** A union that has these clubs, courses and members. */
const unionOf = ({ clubs, courses, members }: Register): UnionClient =>
  ({
    clubs: async () => clubs,
    courses: async (id: string) => courses.filter(({ ClubID, IsActive }) => ClubID === id && IsActive),
    async golfer({ unionID, lifetimeID }: { readonly unionID?: string; readonly lifetimeID?: string }) {
      const found = members.find(
        ({ LifeTimeID, Memberships }) =>
          (lifetimeID !== undefined && LifeTimeID === lifetimeID) ||
          Memberships.some(({ UnionID }) => UnionID === unionID),
      );
      if (found === undefined) throw Object.assign(Object.create(ApiError.prototype), { status: 404 });
      return found;
    },
  }) as unknown as UnionClient;

interface ReadCard {
  readonly HCP?: string;
  readonly CourseHandicap?: number;
  readonly Course?: { readonly TeeID?: string };
  readonly Player?: { readonly UnionID?: string; readonly LifeTimeID?: string };
  readonly Round?: { readonly StartTime?: string };
  readonly Result?: { readonly Strokes?: readonly number[] };
}

/** Reads a table as a person does who knows these answers and no other. */
async function send(path: string, client: UnionClient, answers: Answers) {
  const file = { name: path.split("/").at(-1) ?? "", bytes: new Uint8Array(readFileSync(path)) };
  const { asked, stopped, cards } = await answerTable(file, client, answers, "2026-11-30");
  return {
    asked: asked.size,
    stopped,
    cards: cards.map(({ value, fault }) => ({ value: value as ReadCard, fault: fault?.detail })),
  };
}

const plain = ({ HCP, CourseHandicap, Course, Player, Round, Result }: ReadCard) =>
  [
    Player?.UnionID,
    Round?.StartTime?.slice(0, 8),
    Course?.TeeID,
    Number(HCP),
    CourseHandicap,
    Result?.Strokes?.join(" "),
  ].join(" | ");

interface Expected {
  readonly right: string;
  readonly answers: Answers;
  readonly columns?: Readonly<Record<string, string>>;
  readonly cards: readonly {
    readonly player: string;
    readonly day: string;
    readonly tee: string;
    readonly hcp: number;
    readonly ch: number;
    readonly strokes: readonly number[];
  }[];
}

describe.skipIf(!isThere)(`tables of other software (skipped without ${folder})`, () => {
  const second = isThere ? join(folder, "second") : "";
  const json = (name: string) => (isThere ? JSON.parse(readFileSync(join(second, name), "utf8")) : {});
  const data = json("data.json") as {
    readonly clubs: readonly {
      readonly club: { readonly ID: string };
      readonly versions: Register["courses"];
    }[];
    readonly members: Register["members"];
  };
  const union = () =>
    unionOf({
      clubs: data.clubs.map(({ club }) => club),
      courses: data.clubs.flatMap(({ club, versions }) =>
        versions.map((one) => ({ ...one, ClubID: club.ID })),
      ),
      members: data.members,
    });
  const expected = Object.entries(json("expected.json") as Record<string, Expected>);

  /** What each table that is not simply right must say, by its name. */
  const sentences: Readonly<Record<string, RegExp>> = {
    "01-decimal-comma-splits-the-cell.csv": /more cells than the heading.*decimal comma/,
    "13-four-ball-better-ball.csv": /two member numbers, in Member No 1, Member No 2/,
  };
  /** Rows that are red, with what they say. */
  const redRows: Readonly<Record<string, RegExp>> = {
    "12-total-shows-the-mistake.csv": /The cell has \d+, but the holes come to \d+/,
    "23-numbers-became-months.xlsx": /was probably (11-32|11-45|11-7|11-12)\./,
  };

  test.each(expected)(
    "no card of %s is wrong or lost without a word",
    async (name, { answers, columns = {}, cards }) => {
      const ofColumns = Object.entries(columns).map(([field, column]) => [`column:${field}`, column]);
      const outcome = await send(join(second, name), union(), {
        ...answers,
        ...Object.fromEntries(ofColumns),
      });
      expect(outcome.asked).toBeLessThanOrEqual(3);
      if (sentences[name] !== undefined) return expect(outcome.stopped).toMatch(sentences[name]);
      expect(outcome.stopped).toBeUndefined();
      const lifetimes = new Map(data.members.map((one) => [one.LifeTimeID, one.Memberships[0]?.UnionID]));
      const right = cards.map(({ player, day, tee, hcp, ch, strokes }) =>
        [lifetimes.get(player) ?? player, day, tee, hcp, ch, strokes.join(" ")].join(" | "),
      );
      const red = outcome.cards.flatMap(({ fault }) => fault ?? []);
      const sent = outcome.cards.filter(({ fault }) => fault === undefined).map(({ value }) => plain(value));
      expect(right).toEqual(expect.arrayContaining(sent));
      expect(outcome.cards.length).toBe(Math.max(right.length, red.length));
      const expectedRed = redRows[name];
      if (expectedRed === undefined) expect(red).toEqual([]);
      else for (const detail of red) expect(detail).toMatch(expectedRed);
      expect(red.length > 0).toBe(expectedRed !== undefined);
    },
  );

  const register = isThere
    ? (inventUnion({ seed: 1, clubs: 40, members: 2_000, now: new Date() } as never) as unknown as Register)
    : undefined;
  const first = isThere ? readdirSync(folder).filter((name) => /^\d/.test(name)) : [];
  const round = "4 5 6 3 5 7 3 5 6 4 4 6 5 5 6 4 4 7";

  test.each(first)("the five rounds of %s are read, or the row says why not", async (name) => {
    const outcome = await send(join(folder, name), unionOf(register as Register), {
      course: "Alkebakken Golfklub, 18 huller",
      tee: "61",
      index: "register",
    });
    expect([outcome.stopped, outcome.asked <= 3]).toEqual([undefined, true]);
    expect(outcome.cards).toHaveLength(5);
    const isDamaged = name.startsWith("28-");
    for (const { value, fault } of outcome.cards) {
      if (fault !== undefined) {
        expect([isDamaged, fault]).toEqual([
          true,
          expect.stringContaining("has turned the number into a date"),
        ]);
        continue;
      }
      expect(value.Round?.StartTime).toBe("20261127T081000");
      // One player has a stroke less on each hole.
      const strokes = value.Result?.Strokes ?? [];
      expect(strokes.map((one) => one + (value.Player?.UnionID === "38-27" ? 1 : 0)).join(" ")).toBe(round);
    }
    expect(outcome.cards.filter(({ fault }) => fault !== undefined).length > 0).toBe(isDamaged);
  });
});
