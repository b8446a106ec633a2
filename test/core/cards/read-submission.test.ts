import { expect, test } from "vitest";
import { readHandling, readSubmission } from "../../../core/cards/read-submission.ts";
import { RefusalError } from "../../../core/golf/refusal.ts";
import { problemOf } from "../../../functions/http/problem.ts";
import { withField } from "../golf/change-card.ts";
import { accepted, faultsOf, fullCard, minimalCard, short } from "../golf/sample-cards.ts";

function refusalOf(body: string, contentType?: string) {
  try {
    readSubmission(body, contentType);
  } catch (error) {
    if (error instanceof RefusalError) return problemOf(error).problem;
    throw error;
  }
  throw new Error("no problem");
}

test("an array of scorecards is read", () => {
  expect(readSubmission('[{"ExternalID":"1"}]')).toEqual([{ ExternalID: "1" }]);
});

test("an array of scorecards is read behind a byte order mark", () => {
  expect(readSubmission('\ufeff[{"ExternalID":"1"}]')).toEqual([{ ExternalID: "1" }]);
});

test.each([
  "application/json",
  "application/json; charset=utf-8",
  'application/json;CHARSET = "UTF-8"',
  "application/json; charset=utf8; version=1",
  "text/plain; charset=US-ASCII",
  "application/json; charset=utf-8; charset=UTF8",
  "application/json; charset=",
  "",
])("a body is read with Content-Type: %s", (contentType) => {
  expect(readSubmission("[{}]", contentType)).toEqual([{}]);
});

test.each([
  "application/json; charset=ISO-8859-1",
  'application/json; version=1; charset="windows-1252"',
  "application/json;charset=utf-16",
  "application/json; charset=utf-8; charset=ISO-8859-1",
])("a body is refused with Content-Type: %s", (contentType) => {
  const refusal = refusalOf("[{}]", contentType);
  expect(refusal).toMatchObject({ status: 415, detail: expect.stringContaining("Send JSON in UTF-8") });
});

test.each([
  ["HCP", "1e308", "from -500000 to 2000000"],
  ["HCP", "-1e308", "from -500000 to 2000000"],
  ["CourseHandicap", "1e400", "not a number of that size"],
  ["CourseHandicap", "-1e400", "not a number of that size"],
  ["CourseHandicap", "1.5", "not a fraction"],
  ["CourseHandicap", "1e308", "at most 200"],
])("of %s %s the fault names the field's own form", (field, number, words) => {
  const text = JSON.stringify(minimalCard({ [field]: 0 })).replace(`"${field}":0`, `"${field}":${number}`);
  const [fault] = faultsOf(readSubmission(`[${text}]`)[0]);
  expect(fault?.pointer).toBe(`/${field}`);
  expect(fault?.detail).toContain(words);
  expect(JSON.stringify(fault)).not.toMatch(/9007199254740991|null/);
});

test("fields that are not the union's come back with every digit, and are another content with another digit", () => {
  const sent = (digits: string) => {
    const text = JSON.stringify({ ...minimalCard(), Round: { ...minimalCard().Round, Weather: [7] } });
    const [card] = readSubmission(`[${text.replace("[7]", `[${digits}]`)}]`);
    return accepted(card);
  };
  const numbers = ["12345678901234567890", "1e400", "1.10", "0.1234567890123456789"];
  expect(JSON.stringify(sent(numbers.join(",")).card)).toContain(
    '"Weather":[12345678901234567890,1e400,1.1,0.1234567890123456789]',
  );
  expect(sent("12345678901234567890").contentHash).not.toBe(sent("12345678901234567891").contentHash);
  expect(sent("1.10").contentHash).toBe(sent("1.1").contentHash);
});

test.each([
  ["", "not_an_object"],
  ["/Course", "wrong_type"],
  ["/Course/Holes/3", "wrong_type"],
  ["/Course/Holes/3/Par", "out_of_range"],
  ["/Result/Strokes/3", "out_of_range"],
  ["/CourseHandicap", "out_of_range"],
  ["/Player", "wrong_type"],
])("a number that no double holds is a fault of a card that has it as %j", (pointer, code) => {
  const card = pointer === "" ? "digits" : withField(fullCard(), pointer, "digits");
  const [sent] = readSubmission(JSON.stringify([card]).replace('"digits"', "12345678901234567890"));
  expect(short(faultsOf(sent))).toEqual([`${code} ${pointer}`]);
});

test("a thousand cards are within the limit, one more is not", () => {
  expect(readSubmission(JSON.stringify(Array(1000).fill({})))).toHaveLength(1000);
  expect(refusalOf(JSON.stringify(Array(1001).fill({})))).toMatchObject({
    status: 413,
    limit: "1000 scorecards",
  });
});

test("more than 5 MiB is refused before it is read", () => {
  expect(refusalOf(`[${" ".repeat(5 * 1024 * 1024)}`)).toMatchObject({ status: 413, limit: "5 MiB" });
});

test("half a million values are read, one more is refused before it is read", () => {
  const body = (values: number) => `[[${Array(values - 1).fill(0)}]]`;
  expect(readSubmission(body(500_000))).toHaveLength(1);
  expect(refusalOf(body(500_001))).toMatchObject({ status: 413, limit: "500,000 values" });
});

test("a long object is refused before it is read", () => {
  const body = `{${Array.from({ length: 20_000 }, (_, place) => `"name ${place}":0`)}}`;
  expect(refusalOf(body)).toMatchObject({ status: 400, title: "Not an array of scorecards" });
});

test("millions of levels are refused before they are read, even if the body is not JSON", () => {
  for (const body of ["[".repeat(5_000_000), ` [${'{"a":'.repeat(1_000_000)}`]) {
    expect(refusalOf(body)).toMatchObject({ status: 400, title: "Nested too deep" });
  }
});

test.each(["", "{", "[1,", "nonsense", '["\\u12"]'])("%j is answered as no JSON", (body) => {
  expect(refusalOf(body)).toMatchObject({ status: 400, title: "Not JSON" });
});

test.each([
  ['[{"HCP":\n NaN}]', ": it breaks in line 2, at character 2. "],
  ["[1,]", ": it breaks in line 1, at character 4. "],
  ['[{"HCP": ', ": it breaks at its end. "],
  [`[${"1,".repeat(400_000)}NaN]`, "The body is not JSON. "],
])("where JSON breaks is said, if it can be found: %.20s", (body, words) => {
  expect(refusalOf(body).detail).toContain(words);
});

test.each([
  ["arrays", "[", "]"],
  ["objects", '{"a":', "}"],
])(
  "JSON of %s that is nested too deep around a long number is said to be that, not to break",
  (_, open, close) => {
    const depth = 100_000;
    const body = `[${open.repeat(depth)}12345678901234567${close.repeat(depth)}]`;
    const refusal = refusalOf(body);
    expect(refusal).toMatchObject({ status: 400, title: "Nested too deep" });
    expect(refusal.detail).toContain("32 levels");
  },
);

test("a card that is nested too deep gets its own fault, and with a long number as well", () => {
  const nested = (depth: number, core: string) =>
    JSON.stringify([{ ...minimalCard(), More: "?" }]).replace(
      '"?"',
      "[".repeat(depth) + core + "]".repeat(depth),
    );
  for (const body of [nested(9_000, ""), nested(33, ""), nested(33, "12345678901234567")]) {
    const [card] = readSubmission(body);
    expect(short(faultsOf(card))).toEqual(["card_too_deep "]);
  }
  const [card] = readSubmission(nested(30, "12345678901234567"));
  expect(JSON.stringify(accepted(card).card)).toContain("12345678901234567");
});

test.each(["{}", "null", "1", '"card"'])("%j is answered as no array", (body) => {
  expect(refusalOf(body)).toMatchObject({ status: 400, title: "Not an array of scorecards" });
});

test("what stands near a fault in the JSON is not repeated in the answer", () => {
  const bodies = ['[{"FullName": "Ada Birdie" oops}]', '[{"FullName": "Ada Birdie", "HCP": oops}]'];
  for (const body of bodies) expect(JSON.stringify(refusalOf(body))).not.toMatch(/Ada|oops/);
});

test("__proto__ in a card pollutes nothing", () => {
  readSubmission('[{"__proto__":{"polluted":true}}]');
  expect({}).not.toHaveProperty("polluted");
});

test.each([
  ["handling=lenient", "lenient"],
  ["respond-async, Handling = Lenient", "lenient"],
  ['wait=10, handling="lenient"; x=1', "lenient"],
  ["handling=strict", "strict"],
  ["mishandling=lenient", "strict"],
  ["", "strict"],
  [undefined, "strict"],
] as const)("Prefer: %s is %s", (prefer, handling) => {
  expect(readHandling(prefer)).toBe(handling);
});
