import type { Context } from "aws-lambda";
import { describe, expect, test } from "vitest";
import { readBasicCredentials } from "../../core/accounts/account.ts";
import { readHandling, readSubmission } from "../../core/cards/read-submission.ts";
import { isUnionId } from "../../core/formats/identifiers.ts";
import { assessSubmission } from "../../core/golf/assess.ts";
import { maxMisspeltFields } from "../../core/golf/misspelt-fields.ts";
import { RefusalError } from "../../core/golf/refusal.ts";
import { readCourseQuery, selectCourses } from "../../core/register/course-query.ts";
import { readPostedForm } from "../../functions/describe-account/login-form.ts";
import { ProblemError } from "../../functions/http/problem.ts";
import { acceptsGzip } from "../../functions/http/request.ts";
import { crossOrigin } from "../../functions/http/response.ts";
import { vendorApi } from "../../functions/http/vendor-api.ts";
import { conditionalResponse, jsonDocument } from "../../functions/read-courses/json-document.ts";
import { memberNumbers, playerNumber } from "../../functions/read-members/member-numbers.ts";
import { playersToken } from "../../functions/read-members/players-token.ts";
import { sourceStack } from "../../functions/runtime/log.ts";
import { cardsInState } from "../../functions/track-scorecards/cards-in-state.ts";
import { cardsOfDays } from "../../functions/track-scorecards/cards-of-days.ts";
import { readDays } from "../../functions/track-scorecards/days.ts";
import { readStatusQuery } from "../../functions/track-scorecards/status-query.ts";
import { cardAbroad, context, fullCard, type Json, minimalCard } from "../core/golf/sample-cards.ts";
import { version } from "../core/golf/sample-courses.ts";
import { takeSubmission } from "./take-submission.ts";

const [fewCharacters, manyCharacters] = [4_000, 100_000];
/**
 * Twenty-five times the characters may take so many times as long; quadratic work takes 625 times. Linear work takes up to 80
 * times where the long text no longer fits a cache.
 */
const maxGrowth = 175;
/** How often both lengths are measured in turn: one quiet moment for each among them is enough. */
const rounds = 20;

/** Milliseconds of a processor that no linear work on 100,000 characters takes: it need not be measured again. */
const hopeless = 2_000;

type Work = (text: string) => unknown;

/** Milliseconds that a run must take, since the clock ticks in some milliseconds. */
const shortestRun = 30;

/** Milliseconds of one piece of work, done so many times: what this thread has had of a processor, to which other work adds little. */
async function timed(work: Work, text: string, times: number): Promise<number> {
  const begun = process.threadCpuUsage();
  for (let time = 0; time < times; time++) await work(text);
  const { user, system } = process.threadCpuUsage(begun);
  return (user + system) / 1_000 / times;
}

/** How often a piece of work is done in one run, so that the clock shows at least its shortest run. */
async function timesOfRun(work: Work, text: string): Promise<number> {
  // The first run also compiles.
  await work(text);
  for (let times = 1; ; times *= 2) {
    const milliseconds = (await timed(work, text, times)) * times;
    if (milliseconds >= shortestRun / 2) return Math.ceil((times * shortestRun) / milliseconds);
  }
}

/** Expects that the long text takes at most so many times as long, by the fastest run of each. Short work is repeated. */
async function expectLinear(work: Work, textOf: (characters: number) => string): Promise<void> {
  const texts = [textOf(fewCharacters), textOf(manyCharacters)];
  expect(Number(texts[1]?.length) / Number(texts[0]?.length)).toBeGreaterThan(15);
  const measured = [];
  for (const text of texts) {
    expect(await timed(work, text, 1)).toBeLessThan(hopeless);
    measured.push({ text, times: await timesOfRun(work, text), least: Number.POSITIVE_INFINITY });
  }
  let growth = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && growth > maxGrowth; round++) {
    for (const one of measured) one.least = Math.min(one.least, await timed(work, one.text, one.times));
    growth = (measured[1]?.least ?? 0) / (measured[0]?.least ?? 0);
  }
  expect(growth).toBeLessThanOrEqual(maxGrowth);
}

/** A text of about so many characters, made of pieces. */
function pieces(characters: number, piece: (place: number) => string, between = ""): string {
  const length = piece(1000).length + between.length;
  return Array.from({ length: Math.ceil(characters / length) }, (_, place) => piece(place)).join(between);
}

const long = "1234567890123456789";
const repeated =
  (piece: string, before = "", after = "") =>
  (characters: number) =>
    before + piece.repeat(Math.ceil(characters / piece.length)) + after;

/** Bodies that are, or nearly are, JSON. */
const bodies: Readonly<Record<string, (characters: number) => string>> = {
  "a number of zeros between ones": repeated("0", "[1", "1]"),
  "a fraction of zeros": repeated("0", "[0.", "1]"),
  "a number whose fraction is zeros, with an exponent": repeated("0", "[1.", "1e5]"),
  "an exponent of zeros": repeated("0", "[1e", "1]"),
  "a number of nines": repeated("9", "[", "]"),
  "a number that does not end": repeated("1", "[1e", "x]"),
  "numbers with exponents": repeated("1e1,", "[", "1]"),
  "long numbers": repeated(`${long},`, "[", "1]"),
  "runs of fifteen digits": repeated("123456789012345x", '["', '"]'),
  "minus signs": repeated("-", "["),
  "arrays in arrays": (characters) => "[".repeat(characters / 2) + "]".repeat(characters / 2),
  "arrays that are not closed": repeated("["),
  "arrays in arrays around a long number": (characters) =>
    "[".repeat(characters / 2) + long + "]".repeat(characters / 2),
  "objects in objects around a long number": (characters) =>
    `[${'{"a":'.repeat(characters / 6)}${long}${"}".repeat(characters / 6)}]`,
  "arrays that are not closed behind a long number": repeated("[", `[${long},`),
  backslashes: repeated("\\\\", '["', '"]'),
  "backslashes without an end": repeated("\\\\", '["'),
  "backslashes beside a long number": repeated("\\\\", `[${long},"`, '"]'),
  "escaped quotes": repeated('\\"', '["', '"]'),
  "escaped characters": repeated("\\u0041", '["', '"]'),
  "white space before": repeated(" ", "", "[]"),
  "white space after": repeated("\r\n\t ", "[]"),
  "white space before a fault": repeated(" ", "[", "x]"),
  "white space after a number with an exponent": repeated(" ", "[1e5", "x]"),
  "byte order marks": repeated("\ufeff", "", "[]"),
  "words before one that JSON does not have": repeated("true,", "[", "NaN]"),
  "a key again and again": repeated('"a":1,', "[{", '"a":1}]'),
  "a key again and again beside a long number": repeated('"a":1,', "[{", `"b":${long}}]`),
  "many keys": (characters) => `[{${pieces(characters, (place) => `"key ${place}":1`, ",")}}]`,
  "many keys beside a long number": (characters) =>
    `[{"b":${long},${pieces(characters, (place) => `"key ${place}":1`, ",")}}]`,
  "many numbers as keys": (characters) => `[{${pieces(characters, (place) => `"${place * 7919}":1`, ",")}}]`,
  "many cards without a field": repeated("{},", "[", "{}]"),
  "many arrays beside a long number": repeated("[],", "[", `${long}]`),
};

/** Cards that are full of something, each with a good or a bad rest; as JSON, so that keys can repeat. */
function cardWith(fields: string, card: Json = minimalCard()): string {
  return `[${JSON.stringify(card).slice(0, -1)},${fields}}]`;
}

const partOf = (card: Json, part: string, field: string, value: unknown) =>
  JSON.stringify([{ ...card, [part]: { ...card[part], [field]: value } }]);

const submissions: Readonly<Record<string, (characters: number) => string>> = {
  ...bodies,
  "a card with many keys": (characters) => cardWith(pieces(characters, (place) => `"key ${place}":1`, ",")),
  "a card with a key again and again": (characters) => cardWith(pieces(characters, () => `"a":1`, ",")),
  "a card with many keys in an object": (characters) =>
    cardWith(`"More":{${pieces(characters, (place) => `"key ${place}":{"b":1,"a":2}`, ",")}}`),
  "a bad card with many keys": (characters) =>
    cardWith(
      pieces(characters, (place) => `"key ${place}":1`, ","),
      minimalCard({ HCP: "x" }),
    ),
  "a bad card with many keys in a part": (characters) => {
    const keys = pieces(characters, (place) => `"key ${place}":1`, ",");
    return JSON.stringify([minimalCard({ HCP: "x" })]).replace('"Player":{', `"Player":{${keys},`);
  },
  "a card with a long number beside many keys": (characters) =>
    cardWith(`"b":${long},${pieces(characters, (place) => `"key ${place}":1`, ",")}`),
  "a card with zeros in a number": (characters) => cardWith(`"More":1${"0".repeat(characters)}1`),
  "a card with zeros in a number that is the union's": (characters) =>
    JSON.stringify([minimalCard({ CourseHandicap: 0 })]).replace(
      '"CourseHandicap":0',
      `"CourseHandicap":1${"0".repeat(characters)}1`,
    ),
  "a card with many numbers": (characters) => cardWith(`"More":[${pieces(characters, () => long, ",")}]`),
  "a card nested deep": (characters) =>
    cardWith(`"More":${"[".repeat(characters / 2)}${"]".repeat(characters / 2)}`),
  "a card nested deep, of objects": (characters) =>
    cardWith(`"More":${'{"a":'.repeat(characters / 6)}1${"}".repeat(characters / 6)}`),
  "a card nested deep in a part, with a long number": (characters) =>
    JSON.stringify([minimalCard()]).replace(
      '"Player":{',
      `"Player":{"More":${"[".repeat(characters / 2)}${long}${"]".repeat(characters / 2)},`,
    ),
  "a comment of backslashes": (characters) => cardWith(`"Comment":"${"\\\\".repeat(characters / 2)}"`),
  "a comment of what is not UTF-8": (characters) => cardWith(`"Comment":"${"\ufffd".repeat(characters)}"`),
  "names that are not UTF-8 behind many that are": (characters) =>
    cardWith(`"More":{${pieces(characters, (place) => `"key ${place}":{"a":"b"}`, ",")},"\ufffd":1}`),
  "a comment of white space": (characters) => cardWith(`"Comment":"${" ".repeat(characters)}"`),
  "a long name of a tee": (characters) =>
    partOf(fullCard(), "Course", "TeeName", "Yellow ".repeat(characters / 7)),
  "a long ExternalID": (characters) => JSON.stringify([minimalCard({ ExternalID: "a".repeat(characters) })]),
  "a long HCP": (characters) => JSON.stringify([minimalCard({ HCP: "1".repeat(characters) })]),
  "a long UnionID": (characters) => partOf(minimalCard(), "Player", "UnionID", "1".repeat(characters)),
  "a long LifeTimeID": (characters) => partOf(minimalCard(), "Player", "LifeTimeID", "1".repeat(characters)),
  "a long GUID": (characters) => partOf(minimalCard(), "Course", "CourseID", "a-".repeat(characters / 2)),
  "a long time": (characters) => partOf(minimalCard(), "Round", "StartTime", "1".repeat(characters)),
  "a long country": (characters) => partOf(cardAbroad(), "Course", "Country", "a".repeat(characters)),
  "many strokes": (characters) =>
    partOf(minimalCard(), "Result", "Strokes", Array(Math.ceil(characters / 2)).fill(5)),
  "many points": (characters) =>
    partOf(fullCard(), "Result", "Points", Array(Math.ceil(characters / 2)).fill(2)),
  "many holes": (characters) =>
    partOf(cardAbroad(), "Course", "Holes", Array(Math.ceil(characters / 12)).fill({ Index: 1 })),
  "many cards of one name": (characters) =>
    `[${pieces(characters, () => JSON.stringify({ ...minimalCard(), ExternalID: "1" }), ",")}]`,
  "many cards, each with many faults": (characters) =>
    `[${pieces(characters, (place) => JSON.stringify({ ...cardAbroad(), ExternalID: `${place}`, Result: {}, HCP: "" }), ",")}]`,
  "many cards, each of another course": (characters) =>
    `[${pieces(
      characters,
      (place) => {
        const CourseID = `00000000-0000-4000-8000-${String(place).padStart(12, "0")}`;
        return JSON.stringify({ ...minimalCard({ ExternalID: `${place}` }), Course: { CourseID } });
      },
      ",",
    )}]`,
};

describe.each(Object.entries(submissions))("a submission with %s", (_, body) => {
  test("is judged in a time that grows as its length does", () => expectLinear(takeSubmission, body));

  test("is answered with what is wrong with it, never as a fault of ours", () => {
    expect([200, 400, 413]).toContain(takeSubmission(body(manyCharacters)));
  });
});

/** How often the names of an object, or of one of its parts, are listed while it is judged as a card. */
function listingsOf(card: Json): number {
  let listings = 0;
  const counted = (value: unknown): unknown =>
    typeof value !== "object" || value === null || Array.isArray(value)
      ? value
      : new Proxy(Object.fromEntries(Object.entries(value).map(([name, one]) => [name, counted(one)])), {
          ownKeys(target) {
            listings++;
            return Reflect.ownKeys(target);
          },
        });
  assessSubmission([counted(card)], context());
  return listings;
}

test("the names of a card and of its parts are listed as often with one missing field as with many", () => {
  const { HCP, ...withoutHandicap } = minimalCard();
  const { CourseHandicap, CreateDateTime, ExternalID, ...withoutFour } = withoutHandicap;
  const few = listingsOf(withoutHandicap);
  expect(few).toBeGreaterThan(0);
  expect(listingsOf(withoutFour)).toBe(few);
  const oneOfPart = listingsOf({ ...withoutFour, Round: { ...withoutFour.Round, HolesPlayed: undefined } });
  expect(listingsOf({ ...withoutFour, Round: {} })).toBe(oneOfPart);
});

test("a card tells of twenty misspelt fields, and of no more", () => {
  const fields = pieces(manyCharacters / 2, (place) => `"HC${String.fromCharCode(0x100 + place)}P":0`, ",");
  const [assessment] = assessSubmission(JSON.parse(cardWith(fields)), context());
  const told = assessment?.warnings.filter(({ code }) => code === "field_misspelt") ?? [];
  expect(assessment?.good).toBe(true);
  expect(told).toHaveLength(maxMisspeltFields);
});

const unlessRefused =
  (work: Work): Work =>
  async (text) => {
    try {
      await work(text);
    } catch (error) {
      if (
        !(
          error instanceof ProblemError ||
          error instanceof RefusalError ||
          error instanceof SyntaxError ||
          error instanceof RangeError
        )
      )
        throw error;
    }
  };

const query = (name: string, values: readonly string[]) => new Map([[name, values]]);
const courses = Array.from({ length: 8 }, (_, place) => ({
  text: "{}",
  version: version({ Version: place }),
  changedAt: 0,
}));

function sorted(parameters: ReadonlyMap<string, readonly string[]>) {
  const read = readCourseQuery(parameters, "Europe/Copenhagen");
  if ("query" in read) selectCourses(read.query, courses);
}

const requestOf = (changes: object) => ({
  httpMethod: "GET",
  resource: "/{apiset}/Clubs",
  pathParameters: { apiset: "green" },
  requestContext: { requestId: "r", authorizer: { apiSet: "green", resources: "clubs" } },
  ...changes,
});
const answered = vendorApi(async () => ({ statusCode: 200, headers: {}, body: "" }));
const ask = (changes: object) => answered(requestOf(changes), {} as Context);

/** `parameterXx…` in one of its many spellings, which are all the same name. */
const spelling = (place: number) =>
  [..."parameterparameter"]
    .map((letter, bit) => ((place >> bit) % 2 === 1 ? letter.toUpperCase() : letter))
    .join("");

const readers: Readonly<Record<string, readonly [work: Work, ...texts: ((characters: number) => string)[]]>> =
  {
    "Authorization's credentials": [
      readBasicCredentials,
      repeated(" ", "Basic", "?"),
      repeated("A", "Basic ", "?"),
      repeated("A", "Basic "),
      repeated("= ", "Basic "),
    ],
    Prefer: [
      readHandling,
      repeated(" ", ","),
      repeated(", "),
      repeated("handling=", ","),
      repeated(",handling "),
      repeated(" ", "handling", "="),
      repeated(" ", "handling=lenient", "x"),
    ],
    "Content-Type": [
      unlessRefused((text) => readSubmission("[]", text)),
      repeated(" ", ";"),
      repeated("; charset "),
      repeated(" ", "; charset", "="),
      repeated("a", '; charset="'),
      repeated(";"),
    ],
    "the form's Content-Type": [
      (text) => readPostedForm(text, ""),
      repeated(" ", "application/x-www-form-urlencoded", "x"),
    ],
    "a posted form": [
      (text) => readPostedForm("application/x-www-form-urlencoded", text),
      repeated("username=a&"),
      repeated("%"),
    ],
    Token: [unlessRefused(playersToken), repeated(" ", "a", "b"), repeated("a", "", " ø"), repeated("a")],
    "If-None-Match": [
      (text) =>
        conditionalResponse(jsonDocument("{}"), {
          header: (name) => (name === "if-none-match" ? text : undefined),
        }),
      repeated(","),
      repeated(" ", "", "W/"),
      repeated('W/"b", '),
    ],
    "Accept-Encoding": [
      (text) => acceptsGzip(text),
      repeated(","),
      repeated(" ", "gzip", ";q=0"),
      repeated("gzip;", "", "q=1"),
      repeated("br;q=0.1,"),
    ],
    Origin: [
      (text) => crossOrigin("https://a.example").responseHeaders({ headers: { Origin: text } }),
      repeated("https://a.example "),
    ],
    "a query's values": [
      (text) => ask({ multiValueQueryStringParameters: { a: text.split(",") } }),
      repeated("a,"),
    ],
    "a query's names": [
      (text) => {
        const pairs = text.split(",").map((name) => [name, ["a"]]);
        return ask({ multiValueQueryStringParameters: Object.fromEntries(pairs) });
      },
      (characters) => pieces(characters, (place) => `name${place}`, ","),
      (characters) => pieces(characters, spelling, ","),
    ],
    "a path": [
      (text) => ask({ pathParameters: { apiset: "green", clubId: text } }),
      repeated("%"),
      repeated("%41"),
      repeated("a", "", "%"),
    ],
    headers: [
      (text) => ask({ headers: Object.fromEntries(text.split(",").map((name) => [name, "a"])) }),
      (characters) => pieces(characters, (place) => `name${place}`, ","),
    ],
    "which courses are asked for": [
      (text) => sorted(query("sort", text.split(";"))),
      repeated("Version:0,", "", "Version:0"),
      repeated("ActivationDate:0,", "", "Name:0"),
      repeated("Name:0;"),
      repeated(":"),
      repeated(" ", "Name", ":0"),
    ],
    "how their tees are to be sorted": [
      (text) => sorted(query("sorttee", [text])),
      repeated("IsNineHole:1,", "", "IsNineHole:1"),
    ],
    "what is not to be shown of them": [
      (text) => sorted(query("excludeparams", [text])),
      repeated("tees,", "", "tees"),
      repeated(" ", "tees", "x"),
    ],
    "which member is asked for": [
      unlessRefused((text) => memberNumbers(query("unionid", text.split("&")))),
      repeated("1-1?unionID=", "", "1"),
      repeated("?"),
      repeated("?="),
      repeated("1-1&"),
      repeated(" ", "1", "1"),
      repeated("1"),
    ],
    "whose record is asked for": [
      unlessRefused((text) => playerNumber(query("unionid", text.split("&")))),
      repeated("1-1?unionid=", "", "1"),
      repeated("1-1&"),
      repeated("1"),
    ],
    "which cards are asked for": [
      unlessRefused((text) => readStatusQuery(query("externalid", text.split(",")), "2026-07-04")),
      repeated("a,"),
      repeated("\ufffd"),
    ],
    "where a page of some days begins": [
      unlessRefused((after) =>
        cardsOfDays({} as never, "green" as never, { days: { from: "", to: "" }, counted: undefined, after }),
      ),
      repeated("#", "2025-06-22"),
      repeated("0", "2025-06-22#"),
    ],
    "which days are asked for": [
      unlessRefused((text) => readDays(query("from", [text]), "2026-07-04")),
      repeated("2025-06-22-"),
      repeated("0"),
    ],
    "where a page begins": [
      unlessRefused((text) => cardsInState({} as never, "green" as never, "rejected", text)),
      repeated("#", "2025-06-22T12:00:00.000Z"),
      repeated("2025-06-22T12:00:00.000Z#"),
    ],
    "a UnionID": [(text) => isUnionId(text), repeated("1"), repeated("1-"), repeated("1", "1-", "-")],
    "an error's stack": [
      (text) => sourceStack({ name: "Error", message: "", stack: text }),
      repeated("file://"),
      repeated("file://a.mjs:"),
      repeated("1", "file:///a.mjs:"),
    ],
  };

test.each(Object.entries(readers))("%s: read in a time that grows as its length does", async (_, reader) => {
  const [work, ...texts] = reader;
  for (const text of texts) await expectLinear(work, text);
});
