import { describe, expect, test } from "vitest";
import type { Field, Fields } from "../../../core/golf/field-forms.ts";
import { fields as table } from "../../../core/golf/scorecard.ts";
import { fieldOf, withField } from "./change-card.ts";
import { accepted, cardAbroad, faultsOf, fullCard, minimalCard, short } from "./sample-cards.ts";
import { clubId, templateId, versionIds, yellowId } from "./sample-courses.ts";

interface FieldCase {
  readonly pointer: string;
  /** Values that must be kept as they are. */
  readonly good: readonly unknown[];
  /** Values that must be refused with the code. */
  readonly bad: Readonly<Record<string, readonly unknown[]>>;
  /** The card must have it. */
  readonly required?: true;
  /** Held against what a card abroad says of its own course, not against the register. */
  readonly abroad?: true;
}

const guid = "7a59ca0a-525b-4884-8161-94572c2de3a2";
const notGuids = { guid_invalid: ["abc", `{${guid}}`], wrong_type: [7, {}, ["x"]] };
const notTexts = { wrong_type: [7, true, {}, ["x"]] };
const notTimes = {
  timestamp_invalid: ["20250230T120000", "2025-06-22T14:57:00", ""],
  wrong_type: [20250622, null],
};
const notNumbers = { wrong_type: ["9", 1.5, {}], out_of_range: [1e20, -1e20] };
const notTenThousandths = { ten_thousandths_invalid: ["71.8", "71,8", "seventy", "NaN", 71.8, "", {}, true] };

/** Every field of the tables of union-api, Scorecard. */
const fields: readonly FieldCase[] = [
  { pointer: "/ID", good: [guid, guid.toUpperCase()], bad: notGuids },
  { pointer: "/CreateDateTime", good: ["20240229T235959"], bad: notTimes, required: true },
  {
    pointer: "/ExternalID",
    good: ["a", '417/2 "x" ü 🏌️', "x".repeat(256), "...", "%2e", "VALIDATE"],
    bad: {
      external_id_invalid: ["", "x".repeat(257), "\ud800", ".", "..", "Validate", "validate"],
      external_id_garbled: ["\ufffd", `${"x".repeat(257)}\ufffd`],
      wrong_type: [417, null],
    },
    required: true,
  },
  {
    pointer: "/HCP",
    good: ["90000", 90000, "-18000", -18000, "720000", 0],
    bad: {
      ten_thousandths_invalid: [...notTenThousandths.ten_thousandths_invalid, null],
      out_of_range: ["9000000", -600000, "999999999999999", "12", 999, -21],
    },
    required: true,
  },
  {
    pointer: "/CourseHandicap",
    good: [-6, 0, 9, 79],
    bad: { wrong_type: [...notNumbers.wrong_type, null], out_of_range: [201, -51] },
    required: true,
  },
  { pointer: "/PHCP", good: [-6, 0, 8, 79], bad: { ...notNumbers, out_of_range: [201, -51] } },
  { pointer: "/Comment", good: ["", "Wind", "\ud83c\udfcc"], bad: notTexts },
  { pointer: "/Course", good: [], bad: { wrong_type: ["x", null, []] }, required: true },
  { pointer: "/Course/CourseID", good: [templateId.toLowerCase(), versionIds[0]], bad: notGuids },
  { pointer: "/Course/ExternalID", good: ["7"], bad: notTexts },
  { pointer: "/Course/ClubID", good: [clubId.toLowerCase()], bad: notGuids },
  { pointer: "/Course/ClubName", good: ["Test Club"], bad: notTexts },
  { pointer: "/Course/Name", good: ["Old Course", "Another"], bad: notTexts },
  {
    pointer: "/Course/Country",
    good: ["DK", "se"],
    bad: { country_invalid: ["D", "DNK", "D1"], wrong_type: [45] },
  },
  { pointer: "/Course/TeeID", good: [yellowId.toLowerCase()], bad: notGuids },
  { pointer: "/Course/TeeName", good: ["Yellow", " yellow "], bad: notTexts },
  { pointer: "/Course/TeePar", good: [72], bad: { ...notNumbers, total_mismatch: [71, 0] } },
  {
    pointer: "/Course/TeeRating",
    good: ["718000", 718000],
    bad: {
      ...notTenThousandths,
      tee_rating_mismatch: ["717000", 0],
      out_of_range: [718, "72", -718000, 2e9],
    },
  },
  {
    pointer: "/Course/TeeRating",
    good: ["350000", 752000],
    bad: { out_of_range: ["718", 7180000, 0] },
    abroad: true,
  },
  {
    pointer: "/Course/TeeSlope",
    good: [119, "119"],
    bad: { slope_invalid: ["119.5", "", "high", -1, 119.5, {}], tee_slope_mismatch: [120, "113"] },
  },
  { pointer: "/Course/TeeSlope", good: [55, "155"], bad: { out_of_range: [54, 156, "0"] }, abroad: true },
  {
    pointer: "/Course/Holes",
    good: [],
    bad: { wrong_type: [18, {}, "x"], holes_count: [[], new Array(19).fill({})] },
  },
  { pointer: "/Course/Holes/2", good: [], bad: { wrong_type: [3, null, "x", []] } },
  { pointer: "/Course/Holes/2/Number", good: [3, 12], bad: { ...notNumbers, out_of_range: [0, 100] } },
  {
    pointer: "/Course/Holes/2/Par",
    good: [3],
    bad: { ...notNumbers, out_of_range: [0, 10], hole_par_mismatch: [4] },
  },
  {
    pointer: "/Course/Holes/2/Index",
    good: [15],
    bad: { ...notNumbers, out_of_range: [0, 100], hole_index_mismatch: [19] },
  },
  {
    pointer: "/Course/Holes/2/Index",
    good: [19, 27],
    bad: { out_of_range: [28], stroke_index_repeated: [7] },
    abroad: true,
  },
  { pointer: "/Course/Holes/2/Length", good: [0, 9999], bad: { ...notNumbers, out_of_range: [-1, 10000] } },
  { pointer: "/Course/Holes/2/SPH", good: [0, 1, -1], bad: { ...notNumbers, out_of_range: [-51, 201] } },
  { pointer: "/Round", good: [], bad: { wrong_type: ["x", null, []] }, required: true },
  {
    pointer: "/Round/HolesPlayed",
    good: [18],
    bad: {
      wrong_type: [...notNumbers.wrong_type, null],
      holes_played_mismatch: [0, 17, 19],
      out_of_range: [-1],
    },
    required: true,
  },
  {
    pointer: "/Round/RoundType",
    good: [1, 2],
    bad: { value_not_allowed: [0, 3, 1.5], wrong_type: ["1", null] },
    required: true,
  },
  {
    pointer: "/Round/StartTime",
    good: ["20250701T235959", "20240401T000000"],
    bad: { ...notTimes, start_in_future: ["20250702T000000"] },
    required: true,
  },
  { pointer: "/Round/TournamentName", good: ["", "Cup"], bad: notTexts },
  {
    pointer: "/Round/TournamentRoundNumber",
    good: [1, 4],
    bad: { wrong_type: ["1", 1.5], out_of_range: [-1] },
  },
  { pointer: "/Result", good: [], bad: { wrong_type: ["x", null, []] }, required: true },
  {
    pointer: "/Result/Points",
    good: [],
    bad: { wrong_type: [36, {}], points_count: [[2], [], new Array(19).fill(2)] },
  },
  { pointer: "/Result/Points/4", good: [], bad: { wrong_type: ["2", null, 1.5], out_of_range: [-1, 100] } },
  {
    pointer: "/Result/Strokes",
    good: [],
    bad: {
      wrong_type: [90, null, {}],
      strokes_count: [[], [5, 4, 3], new Array(19).fill(5)],
      no_hole_played: [new Array(18).fill(-1)],
    },
    required: true,
  },
  {
    pointer: "/Result/Strokes/4",
    good: [],
    bad: { wrong_type: ["5", null, 4.5, []], out_of_range: [-2, 100] },
  },
  { pointer: "/Result/TotalPoints", good: [27], bad: { ...notNumbers, total_mismatch: [26, 0] } },
  { pointer: "/Result/TotalStrokes", good: [90], bad: { ...notNumbers, total_mismatch: [89, 0] } },
  {
    pointer: "/Result/NetDoubleBogeyGross",
    good: [90, 89],
    bad: { wrong_type: ["90", 90.5], out_of_range: [-1] },
  },
  {
    pointer: "/Result/IsQualifying",
    good: [true, false],
    bad: { wrong_type: ["true", 1, null] },
    required: true,
  },
  { pointer: "/Player", good: [], bad: { wrong_type: ["x", null, []] }, required: true },
  { pointer: "/Player/FullName", good: ["", "Åse Ø"], bad: notTexts },
  { pointer: "/Player/HomeClubName", good: ["", "Club"], bad: notTexts },
  { pointer: "/Player/HomeClubCountry", good: ["DK", "Denmark"], bad: notTexts },
  {
    pointer: "/Player/LifeTimeID",
    good: ["160575-026", "190160575026"],
    bad: { lifetime_id_invalid: ["160575026", "16057502601"], wrong_type: [160575026] },
  },
  {
    pointer: "/Player/UnionID",
    good: ["1016-1"],
    bad: { union_id_invalid: ["1016", ""], wrong_type: [1016, null] },
    required: true,
  },
  {
    pointer: "/Marker",
    good: [],
    bad: { wrong_type: ["x", null, []], marker_unidentified: [{}, { FullName: "" }] },
    required: true,
  },
  { pointer: "/Marker/FullName", good: ["", "Marker"], bad: notTexts },
  { pointer: "/Marker/HomeClubName", good: ["", "Club"], bad: notTexts },
  {
    pointer: "/Marker/LifeTimeID",
    good: ["010156-012", "190101056012"],
    bad: { lifetime_id_invalid: ["010156012"], wrong_type: [7] },
  },
  {
    pointer: "/Marker/UnionID",
    good: ["1016-100"],
    bad: { union_id_invalid: ["1016/100"], wrong_type: [7] },
  },
];

const card = (field: FieldCase) => (field.abroad ? cardAbroad() : fullCard());
const name = (value: unknown) => JSON.stringify(value)?.slice(0, 40);

describe.each(fields)("the field $pointer", (field) => {
  test.each(field.good.map((value) => [name(value), value]))("is kept as it was sent: %s", (_name, value) => {
    const { card: filled } = accepted(withField(card(field), field.pointer, value));
    expect(fieldOf(filled, field.pointer)).toStrictEqual(value);
  });

  const bad = Object.entries(field.bad).flatMap(([code, values]) =>
    values.map((value) => [code, name(value), value] as const),
  );
  test.each(bad)("is refused as %s, with its pointer: %s", (code, _name, value) => {
    const faults = faultsOf(withField(card(field), field.pointer, value));
    expect(short(faults)).toContain(`${code} ${field.pointer}`);
    for (const { detail } of faults) expect(detail).toMatch(/\.$/);
  });

  test("may be left out, unless the smallest card has it", () => {
    const without = withField(card(field), field.pointer, undefined);
    if (field.required) expect(short(faultsOf(without))).toContain(`required ${field.pointer}`);
    else if (!field.abroad && !field.pointer.startsWith("/Course/CourseID") && !/\/\d+$/.test(field.pointer))
      accepted(without);
  });
});

/** Every field with its pointer; of the holes, the fields of the third. */
function* everyField(of: Fields, parent = ""): Generator<readonly [pointer: string, field: Field]> {
  for (const [name, field] of Object.entries(of)) {
    const pointer = `${parent}/${name}`;
    yield [pointer, field];
    const { fields: inner, entry } = field.form;
    if (inner) yield* everyField(inner, pointer);
    else if (entry?.fields) yield* everyField(entry.fields, `${pointer}/2`);
  }
}

describe("a field that a card may leave out (design: left out)", () => {
  const optional = [...everyField(table.card)].filter(([, { required }]) => !required);
  const sameAsLeftOut = (pointer: string, unset: unknown) => {
    // Without CourseID the tee names the course.
    const sent = withField(fullCard(), pointer, unset);
    const left = withField(fullCard(), pointer, undefined);
    const { card, contentHash } = accepted(sent);
    expect(card).toEqual(accepted(left).card);
    expect(JSON.stringify(card)).not.toContain(":null");
    expect(contentHash).toBe(accepted(left).contentHash);
  };

  test.each(optional)("null counts as left out, and is not passed on: %s", (pointer) => {
    sameAsLeftOut(pointer, null);
  });

  const identifiers = optional.filter(([, { form }]) => form.identifier);
  test.each(identifiers)("the empty text of an identifier counts as left out: %s", (pointer) => {
    sameAsLeftOut(pointer, "");
  });

  test("nulls in fields of the vendor's own are passed on", () => {
    const card = accepted(minimalCard({ Extra: null, Comment: null })).card;
    expect(card).toMatchObject({ Extra: null });
    expect(card).not.toHaveProperty("Comment");
  });
});

describe("details of faults", () => {
  test.each([
    [["x"], "a list"],
    [{}, "an object"],
    [true, "true or false"],
    ["9", "a text"],
    [9.5, "a fraction"],
  ])("the fault names the type that was sent: %j", (value, name) => {
    const [fault] = faultsOf(withField(fullCard(), "/CourseHandicap", value));
    expect(fault?.detail).toContain(`CourseHandicap must be a whole number, not ${name}.`);
    const shown = typeof value === "object" && value !== null ? {} : { received: value };
    expect(fault).toEqual({ ...fault, ...shown });
    expect("received" in (fault ?? {})).toBe("received" in shown);
  });

  test.each(["HCP", "CourseHandicap", "CreateDateTime", "Round"])(
    "the fault says that null is the problem of a field that every card has: %s",
    (field) => {
      const faults = faultsOf(withField(fullCard(), `/${field}`, null));
      expect(faults[0]?.detail).toMatch(new RegExp(`^${field} is null. ${field} must be `));
    },
  );

  test.each([
    ["/HCP", "12", "HCP was not multiplied by 10,000: send 120000 for 12.0, or 12000 for 1.2."],
    ["/HCP", "1240000000", "HCP was multiplied by 10,000 twice: send 124000 for 12.4."],
    ["/HCP", "158", "HCP was not multiplied by 10,000: send 158000 for 15.8."],
    ["/HCP", "15.8", "HCP was not multiplied by 10,000: send 158000 for 15.8."],
    ["/HCP", 15.8, "HCP was not multiplied by 10,000: send 158000 for 15.8."],
    ["/HCP", "15,8", "HCP was not multiplied by 10,000: send 158000 for 15.8."],
    ["/HCP", "+1.7", "HCP was not multiplied by 10,000: send -17000 for +1.7."],
    ["/HCP", "-1.7", "HCP was not multiplied by 10,000: send -17000 for +1.7."],
    ["/HCP", -17, "HCP was not multiplied by 10,000: send -17000 for +1.7."],
    ["/HCP", -21, "HCP was not multiplied by 10,000: send -21000 for +2.1."],
    ["/HCP", "-4", "HCP was not multiplied by 10,000: send -40000 for +4.0, or -4000 for +0.4."],
    ["/HCP", "950", "HCP was not multiplied by 10,000. HCP must be"],
    ["/Course/TeeRating", 718, "Course/TeeRating was not multiplied by 10,000: send 718000 for 71.8."],
    ["/Course/TeeRating", "71.8", "Course/TeeRating was not multiplied by 10,000: send 718000 for 71.8."],
    ["/Course/TeeRating", 72, "Course/TeeRating was not multiplied by 10,000: send 720000 for 72.0."],
    [
      "/Course/TeeRating",
      7_180_000_000,
      "Course/TeeRating was multiplied by 10,000 twice: send 718000 for 71.8.",
    ],
    ["/CourseHandicap", 90_000, "CourseHandicap was multiplied by 10,000, but is in whole strokes: send 9."],
    ["/PHCP", -20_000, "PHCP was multiplied by 10,000, but is in whole strokes: send -2."],
  ])("the fault says that a factor of 10,000 is missing or too many: %s %s", (pointer, value, said) => {
    const [fault] = faultsOf(withField(fullCard(), pointer, value));
    const isWhole = /^-?\d+$/.test(String(value));
    const code = isWhole ? "out_of_range" : "ten_thousandths_invalid";
    expect(fault).toMatchObject({ code, received: value });
    expect(fault?.detail).toContain(said);
  });

  test.each(["12400000", 2_000_001, 201])("the fault guesses no factor of 10,000: %s", (value) => {
    const pointer = value === 201 ? "/CourseHandicap" : "/HCP";
    expect(faultsOf(withField(fullCard(), pointer, value))[0]?.detail).not.toContain("multiplied");
  });

  test("the fault names a field that is misspelt instead of saying only that one is missing", () => {
    const card = fullCard();
    const { HolesPlayed, ...Round } = card.Round;
    const [fault, ...more] = faultsOf({ ...card, Round: { ...Round, holesPlayd: HolesPlayed } });
    expect(more).toEqual([]);
    expect(fault).toMatchObject({ code: "required", pointer: "/Round/HolesPlayed" });
    expect(fault?.detail).toMatch(
      /^Round\/HolesPlayed is missing\. The card has holesPlayd instead: send it as HolesPlayed\. /,
    );
  });

  test("the fault names the form of lists and identifiers", () => {
    const said = (pointer: string) => faultsOf(withField(fullCard(), pointer, "x"))[0]?.detail;
    expect(said("/Course/Holes")).toBe("Course/Holes must be a list with one object per hole, not a text.");
    expect(said("/Result/Points")).toBe(
      "Result/Points must be a list with the points of each hole, not a text.",
    );
    expect(said("/Marker/LifeTimeID")).toBe(
      "Marker/LifeTimeID must be of the form xxxxxx-xxx, for instance 010190-001, or of 12 digits.",
    );
    for (const name of [".", "..", "Validate", "validate"])
      expect(faultsOf(fullCard({ ExternalID: name }))[0]?.detail).toContain("none can end in this one");
    expect(said("/Marker/UnionID")).toMatch(
      /^Marker\/UnionID must be the club's number and the member's number/,
    );
  });

  test.each([
    ["/Round/HolesPlayed", 10_000, "at most 9999"],
    ["/Round/HolesPlayed", -1, "at least 0"],
    ["/CourseHandicap", 201, "at most 200"],
    ["/PHCP", -51, "at least -50"],
  ])("the fault names the bound that is exceeded: %s %i", (pointer, value, expected) => {
    expect(faultsOf(withField(fullCard(), pointer, value))).toMatchObject([
      {
        code: "out_of_range",
        detail: expect.stringMatching(new RegExp(`, ${expected}\\.$`)),
        expected,
        received: value,
      },
    ]);
  });

  test.each([
    ["/HCP", [-500_000, 2_000_000], [-500_001, 2_000_001]],
    ["/CourseHandicap", [-50, 200], [-51, 201]],
    ["/Result/NetDoubleBogeyGross", [0, 9_999], [-1, 10_000]],
  ])("the bounds of a field are accepted, and nothing beyond: %s", (pointer, good, bad) => {
    for (const value of good) accepted(withField(fullCard(), pointer, value));
    for (const value of bad)
      expect(short(faultsOf(withField(fullCard(), pointer, value)))).toEqual([`out_of_range ${pointer}`]);
  });
});

test("every field of the table is tested", () => {
  const shapes = {
    "": "card",
    "/Course": "course",
    "/Course/Holes/2": "hole",
    "/Round": "round",
    "/Result": "result",
    "/Player": "player",
    "/Marker": "marker",
  } as const;
  const all = Object.entries(shapes).flatMap(([part, shape]) =>
    Object.keys(table[shape]).map((field) => `${part}/${field}`),
  );
  expect(all.filter((pointer) => !fields.some((field) => field.pointer === pointer))).toEqual([]);
});
