import { expect, test } from "vitest";
import { namesPerson, resemblesPerson } from "../../../core/formats/named-person.ts";

const person = { name: "Seán O'Brien", unionId: "77-1", lifeTimeId: "010190-001" };
const names = namesPerson(person);
const resembles = resemblesPerson(person);

test.each([
  ...["O'Brien, Sean", "with Sean O Brien and others", "Sean_O'Brien-2025", "SeanOBrien"],
  ...["https://club.example/?with=Se%C3%A1n%20O%27Brien", "/?to=%3Fid%253D77-1&at=50%", "SEÁN O'BRıEN"],
  ...["Sea\u0301n O\u02bcBrien", "S\u00adean O'Bri\u00aden", "Sean\u200bO'Brien", "7\u00ad7-1", "010190 001"],
])("a person is found by the letters of a name, or by a number: %j", (text) => {
  expect([names(text), resembles(text)]).toEqual([true, []]);
});

test.each([
  ["with Sean B. O'Brien", "Sean B. O'Brien"],
  ["S.O’Brien", "S. O’Brien"],
  ["77_1", "77_1"],
  ["77 - 1", "77 - 1"],
  ["Seaan Obrien", "Seaan Obrien"],
])("what only resembles a person is told, and is not the person: %j", (text, spelling) => {
  expect([names(text), resembles(text)]).toEqual([false, [spelling]]);
  if (/\d/.test(text)) return;
  const taken = { ...person, also: [spelling] };
  expect([namesPerson(taken)(text), resemblesPerson(taken)(text)]).toEqual([true, []]);
});

test.each([
  ...["O'Brien", "Sean Brown", "Brian Sean", "Sean O'Briens"],
  ...["77-11", "177-1", "A77-1", "2077-01-01", "010190-0012"],
  "CA1636A2-0077-0001-AD38-D7F8BD23D76C",
])("%j neither names nor resembles a person", (text) => {
  expect([names(text), resembles(text)]).toEqual([false, []]);
});

test("a short name in one word may be another word, and a last name with an initial a genitive", () => {
  const short = { name: "Bo Li", also: ["S. Sorensen"] };
  expect(namesPerson(short)("The Sorensens Cup")).toBe(false);
  expect([namesPerson(short)("Li, Bo"), namesPerson(short)("Boli")]).toEqual([true, false]);
  expect(resemblesPerson(short)("Boli")).toEqual(["Boli"]);
});
