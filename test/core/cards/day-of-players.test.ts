import { seededRandom } from "@scorecard-pipeline/stand-in/seeded-random";
import { expect, test } from "vitest";
import { judgeCorrection } from "../../../core/cards/delivery/correction.ts";
import { contentOf } from "../../../core/cards/life/card-content.ts";
import { isOtherPerson } from "../../../core/golf/same-person.ts";
import { proofSeed, proofSize } from "../../proofs/proof-seed.ts";
import { accepted, type Json, minimalCard } from "../golf/sample-cards.ts";
import { storedCard } from "../memory/stored-card.ts";

const random = seededRandom(proofSeed ?? 1, "day of players");
const ofEach = 200 * proofSize;
const firsts = [
  "Søren",
  "Åse",
  "Anne-Marie",
  "Hans Christian",
  "Björn",
  "Zoë",
  "Per",
  "Mette",
  "Jørgen",
  "Eva",
];
const lasts = ["Ærø", "Nielsen", "Østergaard", "von Bülow", "Sørensen", "O'Neil", "Hansen", "Łukasz", "Kjær"];

interface Person {
  readonly FirstName: string;
  readonly LastName: string;
  readonly LifeTimeID: string;
}

/** Members as the union has them: some twins have one birth date, and another number within it. */
const members: readonly Person[] = firsts.flatMap((FirstName, first) =>
  lasts.map((LastName, last) => ({
    FirstName,
    LastName,
    LifeTimeID: `0101${60 + first}-${String(last + 1).padStart(3, "0")}`,
  })),
);
const initials = (name: string) =>
  name
    .split(/[ -]/)
    .map((word) => word[0])
    .join(". ");

/** Names under which one person is on cards. */
const spellings: readonly ((person: Person) => string)[] = [
  ({ FirstName, LastName }) => `${FirstName} ${LastName}`,
  ({ FirstName, LastName }) => `${LastName}, ${FirstName}`.toUpperCase(),
  ({ FirstName, LastName }) => `${initials(FirstName)}. ${LastName}`,
  ({ FirstName, LastName }) => `${FirstName.split(/[ -]/)[0]} ${LastName}`,
  ({ FirstName, LastName }) => `${FirstName} ${LastName}`.normalize("NFD"),
  ({ FirstName, LastName }) =>
    `${FirstName} ${LastName}`.replaceAll("ø", "oe").replaceAll("Ø", "Oe").replaceAll("æ", "ae"),
];

test(`${ofEach} cards of two persons are told, and ${ofEach} of one in any spelling are not`, () => {
  const wrong: unknown[] = [];
  for (let card = 0; card < ofEach; card++) {
    const [one, other] = random.shuffled(members) as [Person, Person];
    const name = random.oneOf(spellings)(one);
    if (isOtherPerson({ FullName: name }, one)) wrong.push([name, one]);
    // A nickname, or a married name, is no matter beside the right number.
    if (isOtherPerson({ FullName: "Bo", LifeTimeID: one.LifeTimeID }, one)) wrong.push(["number", one]);
    if (!isOtherPerson({ FullName: name, LifeTimeID: one.LifeTimeID }, other)) wrong.push([name, other]);
    const isNamesake = one.FirstName === other.FirstName && one.LastName === other.LastName;
    const told = isOtherPerson({ FullName: `${one.FirstName} ${one.LastName}` }, other);
    if (one.FirstName !== other.FirstName && one.LastName !== other.LastName && !isNamesake && !told)
      wrong.push(["name", one, other]);
  }
  expect(wrong).toEqual([]);
});

const card = (UnionID: string, StartTime: string, first: number): Json => {
  const { Round, Result } = minimalCard();
  const Strokes = Result.Strokes.with(0, first);
  const sent = { Player: { UnionID }, Round: { ...Round, StartTime }, Result: { ...Result, Strokes } };
  return accepted(minimalCard({ ExternalID: "1", CreateDateTime: "20250629T120000", ...sent })).card;
};
const dayOf = (day: number) => `202506${String(day).padStart(2, "0")}T100000`;

test(`${ofEach} reused names are refused, ${ofEach} mistyped players told, and ${ofEach} other corrections neither`, () => {
  const wrong: unknown[] = [];
  for (let number = 0; number < ofEach; number++) {
    const [day, player] = [random.whole(2, 27), random.whole(1, 900)];
    const stored = storedCard("1", {
      state: "delivered",
      contentHash: "first",
      content: contentOf(card(`1016-${player}`, dayOf(day), 5)),
    });
    const judge = (after: Json) => {
      const compared = { index: 0, externalId: "1", contentHash: "other", content: contentOf(after) };
      const { fault, warning } = judgeCorrection(compared, stored, false);
      return fault?.code ?? warning?.code;
    };
    const other = `1016-${player + random.whole(1, 99)}`;
    const results = {
      external_id_reused: judge(card(other, dayOf(day + random.oneOf([-1, 1])), random.whole(3, 8))),
      player_changed: judge(card(other, dayOf(day), random.whole(3, 8))),
      undefined: judge(card(`1016-0${player}`, dayOf(day), random.whole(6, 9))),
    };
    for (const [expected, found] of Object.entries(results))
      if (String(found) !== expected) wrong.push({ expected, found, day, player });
  }
  expect(wrong).toEqual([]);
});
