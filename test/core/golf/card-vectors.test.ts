import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { guidKey } from "../../../core/formats/identifiers.ts";
import { accepted, type Json } from "./sample-cards.ts";
import { red, register, tee, version } from "./sample-courses.ts";

const file = new URL("../../../../shared/vectors/cards.json", import.meta.url);
const vectors: Json = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : { cards: [] };

describe.skipIf(vectors.cards.length === 0)(
  "the cards in ../shared/vectors (skipped where that is not there)",
  () => {
    const { club, versions, tee: played } = vectors.course ?? {};
    const courses = () =>
      versions.map((one: Json) =>
        version({
          ...one,
          ClubID: club.ID,
          ClubNames: { [guidKey(club.ID)]: club.Name },
          Tees: [tee(played), red()],
        }),
      );
    test.each<Json>(vectors.cards)("$why", ({ card }) => {
      const { card: filled } = accepted(card, {
        courses: register(...courses()),
        now: new Date("2030-01-01"),
      });
      expect(filled).toMatchObject(card);
      expect(filled.Course.TeePar).toBe(72);
    });
  },
);
