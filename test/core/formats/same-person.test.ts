import { expect, test } from "vitest";
import { isOtherPerson } from "../../../core/formats/same-person.ts";
import { doubtsAboutPlayers } from "../../../core/players/check-assessed.ts";

const member = (name: string, LifeTimeID?: string) => {
  const [FirstName, LastName] = name.split("|");
  return { FirstName, LastName, LifeTimeID };
};

test.each([
  ["another case", "JENS SØRENSEN", "Jens|Sørensen"],
  ["ø as oe", "Jens Soerensen", "Jens|Sørensen"],
  ["ø as o", "Jens Sorensen", "Jens|Sørensen"],
  ["å as aa", "Aage Ågård", "Åge|Aagaard"],
  ["æ as ae", "Lars Kjaer", "Lars|Kjær"],
  ["ö as ø", "Bjorn Björk", "Bjørn|Bjørk"],
  ["accents", "Andre Muller", "André|Müller"],
  ["last name first", "Hansen, Jens", "Jens|Hansen"],
  ["a middle name left out", "Jens Hansen", "Jens Peter|Hansen"],
  ["the second first name", "Peter Hansen", "Jens Peter|Hansen"],
  ["one of two last names", "Jens Møller", "Jens|Møller Hansen"],
  ["another middle name", "Jens Peter Hansen", "Jens Møller|Hansen"],
  ["an initial", "J. Hansen", "Jens|Hansen"],
  ["a middle initial", "Jens P. Hansen", "Jens Peter|Hansen"],
  ["a hyphen left out", "Anne Marie Holm", "Anne-Marie|Holm"],
  ["a first name in one word", "Annemarie Holm", "Anne-Marie|Holm"],
  ["composed letters", "Åse Lund".normalize("NFD"), "Åse|Lund"],
  ["no name", "", "Jens|Hansen"],
  ["a member without a last name", "Jens Hansen", "Peter|"],
])("a name with %s is the same person's", (_, FullName, name) => {
  expect(isOtherPerson({ FullName }, member(name))).toBe(false);
});

test.each([
  ["another person", "Peter Olsen", "Jens|Hansen"],
  ["a brother", "Peter Hansen", "Jens|Hansen"],
  ["a brother with the same middle name", "Peter Møller Hansen", "Jens Møller|Hansen"],
  ["another initial", "P. Hansen", "Jens|Hansen"],
  ["a namesake by first name", "Jens Olsen", "Jens|Hansen"],
])("a name of %s is another person's", (_, FullName, name) => {
  expect(isOtherPerson({ FullName }, member(name))).toBe(true);
});

test.each([
  ["a nickname with the right LifeTimeID is the same person", "Bo Jensen", "010190-001", false],
  ["a married name with the right LifeTimeID is the same person", "Anna Vind", "010190-001", false],
  ["a twin's LifeTimeID is another person", "Jens Hansen", "010190-002", true],
  ["a LifeTimeID of twelve digits is not compared", "Jens Hansen", "199001010001", false],
])("%s", (_, FullName, LifeTimeID, isOther) => {
  expect(isOtherPerson({ FullName, LifeTimeID }, member("Jens|Hansen", "010190-001"))).toBe(isOther);
});

test("a card that names two persons is warned of, for its player and its marker, without their names", () => {
  const people = {
    isKnown: new Map([
      ["6-1", true],
      ["6-2", true],
    ]),
    members: new Map<string, object>([
      ["6-1", { ...member("Jens|Hansen", "010190-001"), Memberships: [{ UnionID: "7-4" }] }],
      ["6-2", { ...member("Ole|Vind", "020290-001") }],
    ]),
  };
  const codes = (Player: object, Marker: object) =>
    doubtsAboutPlayers({ Player, Marker }, people, undefined, 54);
  const right = { UnionID: "6-1", FullName: "Jens Hansen" };
  expect(codes(right, { UnionID: "6-2", FullName: "Ole Vind" })).toEqual([]);
  expect(codes({ ...right, FullName: "Ole Vind" }, { UnionID: "6-2", LifeTimeID: "010190-001" })).toEqual([
    { code: "player_differs" },
    { code: "marker_is_player" },
    { code: "marker_differs" },
  ]);
  for (const marker of [{ LifeTimeID: "010190-001" }, { UnionID: "007-4" }])
    expect(codes(right, marker)).toEqual([{ code: "marker_is_player" }]);
});
