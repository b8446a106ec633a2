import { expect, test } from "vitest";
import { contentOf } from "../../../core/cards/life/card-content.ts";
import { erasure, isErasable, personOn, personsCopy } from "../../../core/cards/person-data.ts";
import { namesPerson, type Person } from "../../../core/formats/named-person.ts";
import { scorecardsInMemory } from "../memory/scorecards.ts";
import { start, storedCard } from "../memory/stored-card.ts";

const Player = { UnionID: "32-1", LifeTimeID: "010156-012", FullName: "A Player" };
const Marker = { UnionID: "32-2", LifeTimeID: "020256-012", FullName: "A Marker" };
const result = { Strokes: [4, 5], TotalPoints: 36 };
const card = storedCard("417", {
  state: "delivered",
  content: contentOf({ ID: "the id", ExternalID: "417", Player, Marker, Result: result }, [
    { index: 0, code: "course_handicap_differs", pointer: "/HCP", detail: "A warning." },
  ]),
});
const nobody = () => false;
const erased = (role: "player" | "marker") => erasure(card, { role }, nobody).set.content;
const roleOn = (of: typeof card, person: Person) => personOn(of, namesPerson(person))?.role;

test("a person is found by either number, as player or as marker", () => {
  expect(roleOn(card, { unionId: "32-1" })).toBe("player");
  expect(roleOn(card, { lifeTimeId: "010156-012" })).toBe("player");
  expect(roleOn(card, { unionId: "32-2" })).toBe("marker");
  expect(roleOn(card, { lifeTimeId: "020256-012", unionId: "99-9" })).toBe("marker");
  expect(roleOn(card, { unionId: "32-3" })).toBeUndefined();
  expect(roleOn(storedCard("no persons"), { unionId: "32-1" })).toBeUndefined();
});

test("of a player's card only its ID at the union stays, no hash that could be compared with a guess, and nothing of the player's record", () => {
  const { set, expects } = erasure(card, { role: "player" }, nobody);
  expect(set.content?.text()).toBe('{"ID":"the id"}');
  expect(set.content?.warnings()).toEqual([]);
  const { content: _, ...others } = set;
  const names = ["earlierContents", "erasedContent", "formerRound", "laterWarnings", "record"];
  const gone = Object.fromEntries(names.map((name) => [name, undefined]));
  expect(others).toStrictEqual({ contentHash: "erased", ...gone });
  const { version, since, content } = card;
  expect(expects).toEqual({ version, states: ["delivered"], since, content });
});

test("of two erasures of one card at the same time the later one has to read it again: its copy has the other person", async () => {
  const { put, table, of } = scorecardsInMemory();
  put(card);
  expect(await table.write([erasure(card, { role: "player" }, nobody)])).toEqual(["written"]);
  expect(await table.write([erasure(card, { role: "marker" }, nobody)])).toEqual(["lost"]);
  expect(of("417")?.content.text()).toBe('{"ID":"the id"}');
});

test("a marker is taken off another player's card, which stays otherwise", () => {
  const kept = JSON.parse(erased("marker")?.text() ?? "");
  expect(kept).toEqual({ ID: "the id", ExternalID: "417", Player, Result: result, Marker: {} });
});

test("a card is not erased while a run may still post it", () => {
  const hour = 3_600_000;
  expect(isErasable(card, start + 3 * hour)).toBe(true);
  expect(isErasable(card, start + hour)).toBe(false);
  expect(isErasable({ ...card, state: "retrying" }, start + 24 * hour)).toBe(false);
});

const planted = { unionId: "77-1", lifeTimeId: "010190-001", name: "Ann Example" };
const spellings = ["77-1", "077-1", "77-01", "0077-001", "77\u20111"];

/** Every place of a card that can name a person, with a text in it. */
const places: Readonly<Record<string, (text: string) => object>> = {
  "the player's UnionID": (text) => ({ Player: { UnionID: text } }),
  "the player's LifeTimeID": () => ({ Player: { UnionID: "1-1", LifeTimeID: "010190-001" } }),
  "an undocumented field of the player": (text) => ({
    Player: { UnionID: "1-1", Memberships: [{ No: text }] },
  }),
  "the marker's UnionID": (text) => ({ Marker: { UnionID: text } }),
  "the marker's LifeTimeID without a hyphen": () => ({ Marker: { LifeTimeID: "010190001" } }),
  "the marker's name": () => ({ Marker: { FullName: "example,  ANN" } }),
  Comment: (text) => ({ Comment: `Marked by ${text}.` }),
  "a name in Comment": () => ({ Comment: "with Ann  example" }),
  TournamentName: (text) => ({ Round: { TournamentName: `Match of ${text} and 1-2` } }),
  "an undocumented field": (text) => ({ Group: text }),
  "an undocumented list": (text) => ({ Group: { players: [["1-2", text], ["3-4"]] } }),
  "the name of a field": (text) => ({ Group: { [text]: { strokes: 4 } } }),
  "a field of a hole": (text) => ({ Course: { Holes: [{ Par: 4 }, { Par: 3, PlayedBy: text }] } }),
  "a number": () => ({ Group: { members: [10190001, 123456789012] }, Other: "010190-001" }),
};

for (const [place, content] of Object.entries(places)) {
  test.each(spellings)(
    `a person named in ${place} as %s is found, is in the export, and is erased`,
    (spelling) => {
      const names = namesPerson(planted);
      const bystander = { ID: "the id", Bystander: "Bea Bystander 77-11 and 177-1, 2077-01-01" };
      const stored = storedCard("417", {
        state: "delivered",
        content: contentOf({ ...bystander, ...content(spelling) }),
      });
      const found = personOn(stored, names);
      expect(found?.pointers.length).toBeGreaterThan(0);
      if (found === undefined) return;
      const copy = JSON.stringify(personsCopy(stored, found));
      expect(copy).toContain(
        found.role === "mentioned" ? found.pointers[0]?.replaceAll('"', "") : found.role,
      );
      const { set } = erasure(stored, found, names);
      const left = storedCard("417", { ...stored, ...set } as never);
      expect(personOn(left, names)).toBeUndefined();
      const kept = JSON.parse(left.content.text());
      expect(kept.ID).toBe("the id");
      if (found.role !== "player") expect(kept.Bystander).toBe(bystander.Bystander);
      expect(copy.includes("Bea")).toBe(found.role === "player");
    },
  );
}

test("a person in an ExternalID, in a warning or in the exchange's words is found; only the ExternalID stays", () => {
  const names = namesPerson(planted);
  const stored = storedCard("077-1-22062025-Yellow-18", {
    state: "rejected",
    content: contentOf({ ID: "the id" }, [
      { index: 0, code: "field_misspelt", pointer: "/x", detail: "77-1", received: "77-1" },
    ]),
    failure: { phase: "after", status: 400, message: "No member 77-1" },
    failed: [
      { version: 1, from: 0, to: 1, posts: 1, failure: { phase: "after", message: "No member 77-01" } },
    ],
  });
  const found = personOn(stored, names);
  expect(found).toMatchObject({ role: "mentioned", inExternalId: true, inMessages: true });
  const { set } = erasure(stored, found ?? { role: "mentioned" }, names);
  expect(
    personOn(storedCard("other", { ...stored, ...set, externalId: "other" } as never), names),
  ).toBeUndefined();
  expect(set.failure).toEqual({ phase: "after", status: 400, message: "erased" });
});
