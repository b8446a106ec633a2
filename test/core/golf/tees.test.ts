import { describe, expect, test } from "vitest";
import {
  accepted,
  cardAbroad,
  faultsOf,
  fullCard,
  type Json,
  minimalCard,
  nineHoleCard,
  short,
} from "./sample-cards.ts";
import { clubId, redId, register, tee, templateId, version, versionIds, yellowId } from "./sample-courses.ts";

const [first = "", second = "", third = ""] = versionIds;
const of = (...versions: Parameters<typeof register>) => ({ courses: register(...versions) });
const named = (TeeName: string | undefined, changes: Json = {}) =>
  minimalCard({ Course: { CourseID: templateId, ClubID: clubId, TeeName, ...changes } });
const withTees = (...Tees: Parameters<typeof tee>[0][]) => of(version({ Tees: Tees.map((one) => tee(one)) }));
const teeOf = (card: Json, context: Json) => accepted(card, context).card.Course.TeeID;

describe("the tee of a card", () => {
  test("is the one named, of several with other numbers", () => {
    expect(
      accepted(minimalCard({ Course: { CourseID: templateId, TeeID: redId } })).card.Course,
    ).toMatchObject({ TeeName: "Red", TeeRating: "735000", TeeSlope: 127 });
  });

  test("is found by its name but for case and blanks, and only by the whole of it", () => {
    expect(teeOf(named(" YELLOW "), undefined)).toBe(yellowId);
    expect(short(faultsOf(named("Yell")))).toEqual(["tee_unknown /Course/TeeName"]);
  });

  test("is not looked for by its name where TeeID names none", () => {
    const card = named("Yellow", { TeeID: third });
    expect(faultsOf(card)).toMatchObject([
      {
        code: "tee_unknown",
        expected: [
          { TeeID: yellowId, TeeName: "Yellow" },
          { TeeID: redId, TeeName: "Red" },
        ],
        received: third,
      },
    ]);
  });

  test("is looked for in the whole register without CourseID, and one fault says that no course has it", () => {
    const card = minimalCard({ Course: { TeeID: third } });
    expect(faultsOf(card)).toMatchObject([
      {
        code: "tee_unknown",
        pointer: "/Course/TeeID",
        received: third,
        detail: expect.stringMatching("No course of the union"),
      },
    ]);
  });

  test("is missing where neither says it, or the name is empty", () => {
    expect(short(faultsOf(named(undefined)))).toEqual(["required /Course/TeeID"]);
    expect(short(faultsOf(named("")))).toEqual(["required /Course/TeeID"]);
  });

  test("is not said to be unknown where it could not be read", () => {
    expect(short(faultsOf(named(undefined, { TeeID: "x" })))).toEqual(["guid_invalid /Course/TeeID"]);
    expect(short(faultsOf({ ...named(undefined), Course: { CourseID: templateId, TeeName: 7 } }))).toEqual([
      "wrong_type /Course/TeeName",
    ]);
  });

  test("of one name in several is the one with as many holes as there are strokes", () => {
    const nine = { ...tee(nineTee()), Name: "57", ID: redId };
    const both = of(version({ Tees: [tee({ Name: "57" }), nine] }));
    const { TeeID, ...course } = nineHoleCard().Course;
    const card = nineHoleCard({ Course: { ...course, CourseID: templateId, TeeName: "57" } });
    expect(teeOf(card, both)).toBe(redId);
    expect(teeOf(named("57"), both)).toBe(yellowId);
  });

  test("of one name in several is any, where their numbers are the same", () => {
    expect(teeOf(named("57"), withTees({ Name: "57" }, { Name: "57", ID: redId }))).toBe(yellowId);
  });

  test.each<[string, Json]>([
    ["rating", { CourseRating: 720000 }],
    ["slope", { SlopeRating: 121 }],
    ["par", { Holes: tee().Holes.map((hole, place) => (place < 2 ? { ...hole, Par: 7 - hole.Par } : hole)) }],
    ["stroke indexes", { Holes: tee().Holes.map((hole) => ({ ...hole, Index: 19 - Number(hole.Index) })) }],
  ])(
    "of one name in several is not told where only their %s differs and nothing tells it",
    (_name, changes) => {
      const card = { ...named("57"), CourseHandicap: 30 };
      expect(faultsOf(card, withTees({ Name: "57" }, { Name: "57", ID: redId, ...changes }))).toMatchObject([
        {
          code: "tee_ambiguous",
          expected: [
            { TeeID: yellowId, TeeName: "57", Gender: 2 },
            { TeeID: redId, TeeName: "57", Gender: 2 },
          ],
        },
      ]);
    },
  );

  test("of one name in several is told by the only one whose numbers agree", () => {
    const tees = withTees({ Name: "57" }, { Name: "57", ID: redId, SlopeRating: 130 });
    expect(teeOf(named("57", { TeeSlope: "130" }), tees)).toBe(redId);
  });

  test("of one name in several, none of which agrees, is the one that agrees most", () => {
    const tees = withTees({ Name: "57", SlopeRating: 140, CourseRating: 700000 }, { Name: "57", ID: redId });
    const faults = faultsOf(named("57", { TeeSlope: 119, TeeRating: 711000 }), tees);
    expect(faults).toMatchObject([{ code: "tee_rating_mismatch", expected: 718000, received: 711000 }]);
  });

  test("that the register has no figures of is not told by its Course Handicap", () => {
    const tees = withTees({ Name: "57", SlopeRating: 0 }, { Name: "57", ID: redId, SlopeRating: 130 });
    expect(short(faultsOf({ ...named("57"), CourseHandicap: 30 }, tees))).toEqual([
      "tee_ambiguous /Course/TeeName",
    ]);
  });
});

describe("numbers of another version", () => {
  const earlier = (...Tees: Json[]) =>
    version({ ID: first, IsActive: false, ActivationDate: "20230331T220000", Tees });
  const now = (...Tees: Json[]) => version({ ID: second, Version: 2, Tees });
  const rated = minimalCard({
    Course: { CourseID: templateId, TeeID: yellowId, TeeRating: 700000 },
    CourseHandicap: 7,
  });

  test("are those of the tee with the same ID, not of another with its name", () => {
    const versions = of(earlier(tee(), tee({ ID: redId, CourseRating: 700000 })), now(tee()));
    expect(short(faultsOf(rated, versions))).toEqual(["tee_rating_mismatch /Course/TeeRating"]);
  });

  test("are those of the tee with the same name and gender, where the ID is another", () => {
    const women = tee({ ID: redId, Gender: 1, CourseRating: 700000 });
    const men = tee({ ID: third, Gender: 2, CourseRating: 690000 });
    expect(short(faultsOf(rated, of(earlier(women, men), now(tee()))))).toEqual([
      "tee_rating_mismatch /Course/TeeRating",
    ]);
    const turned = of(earlier({ ...women, Gender: 2 }, { ...men, Gender: 1 }), now(tee()));
    expect(short(accepted(rated, turned).warnings)).toEqual(["numbers_of_other_version /Course"]);
    expect(accepted(rated, turned).warnings[0]).toMatchObject({ received: 1 });
  });

  test("are those of a tee without an ID by its name", () => {
    const { ID, ...nameless } = tee({ CourseRating: 700000 });
    const { TeeID, ...Course } = rated.Course;
    const versions = of(earlier(nameless), now((({ ID: _, ...rest }) => rest)(tee())));
    const card = { ...rated, Course: { ...Course, TeeName: "Yellow" } };
    expect(short(accepted(card, versions).warnings)).toEqual(["numbers_of_other_version /Course"]);
  });

  test("are those of one version, not some of each", () => {
    const versions = of(earlier(tee({ CourseRating: 700000 })), now(tee({ SlopeRating: 130 })));
    const card = minimalCard({ Course: { ...rated.Course, TeeSlope: 130 } });
    expect(short(faultsOf(card, versions))).toEqual(["tee_rating_mismatch /Course/TeeRating"]);
  });

  test("are filled in from the version they agree with", () => {
    const versions = of(earlier(tee({ CourseRating: 700000, SlopeRating: 101 })), now(tee()));
    expect(accepted(rated, versions).card.Course.TeeSlope).toBe(101);
  });
});

describe("what a card says of its course", () => {
  const naming = (changes: Json) =>
    minimalCard({ Course: { CourseID: templateId, TeeID: yellowId, ClubID: clubId, ...changes } });

  test("is shown back to a hundred letters", () => {
    const { warnings } = accepted(naming({ Name: "x".repeat(300) }));
    expect(warnings).toMatchObject([{ code: "course_name_differs", received: "x".repeat(100) }]);
    expect(faultsOf(named("x".repeat(300)))).toMatchObject([{ received: "x".repeat(100) }]);
    expect(faultsOf(naming({ TeeSlope: "x".repeat(300) }))).toMatchObject([{ received: "x".repeat(100) }]);
  });

  test("need not be a name that the register does not have", () => {
    const courses = register(version({ ClubNames: {} }));
    expect(accepted(naming({ ClubName: "Any Club" }), { courses }).warnings).toEqual([]);
  });

  test("is not warned of where the round does not qualify", () => {
    const courses = register(version({ IsHcpQualifying: false }));
    const card = naming({});
    card.Result.IsQualifying = false;
    expect(accepted(card, { courses }).warnings).toEqual([]);
  });

  test("abroad may not be empty", () => {
    for (const field of ["Name", "TeeName"]) {
      const card = cardAbroad();
      card.Course[field] = "";
      expect(short(faultsOf(card))).toEqual([`required /Course/${field}`]);
    }
  });

  test("abroad is not missed where it cannot be read", () => {
    const card = cardAbroad();
    card.Course.Name = 7;
    card.Course.Holes[2] = "x";
    card.Course.Holes[3].Par = "4";
    expect(short(faultsOf(card))).toEqual([
      "wrong_type /Course/Name",
      "wrong_type /Course/Holes/2",
      "wrong_type /Course/Holes/3/Par",
    ]);
  });
});

describe("what the register has wrong", () => {
  test("is filled in with the place of a hole that it gives no number", () => {
    const Holes = tee().Holes.map((hole) => ({ ...hole, Number: null as never }));
    const courses = register(version({ Tees: [tee({ Holes })] }));
    const { Course } = accepted(minimalCard(), { courses }).card;
    expect(Course.Holes?.map(({ Number: number }) => number)).toEqual(Holes.map((_, place) => place + 1));
  });

  test("is not filled in", () => {
    const courses = register({
      ...version({
        Tees: [tee({ CourseRating: null as never, SlopeRating: "x" as never, Name: 7 as never })],
      }),
      Name: null as never,
      ClubNames: {},
      ClubID: "no GUID",
    });
    const { Course } = accepted(minimalCard({ Course: { CourseID: templateId, TeeID: yellowId } }), {
      courses,
    }).card;
    for (const field of ["TeeRating", "TeeSlope", "TeeName", "Name", "ClubName", "ClubID"])
      expect(Course).not.toHaveProperty(field);
    expect(Course.TeePar).toBe(72);
  });

  test("is not held against a card", () => {
    const Holes = tee().Holes.map((hole) => ({
      ...hole,
      Par: null as never,
      Index: null,
      Length: null as never,
    }));
    const courses = register(version({ Tees: [tee({ Holes })] }));
    const { card, warnings } = accepted(fullCard(), { courses });
    expect(short(warnings)).toEqual(["tee_incomplete /Course/TeeID"]);
    expect(card).toEqual(fullCard());
    expect(short(faultsOf(fullCard({ Course: { ...fullCard().Course, TeePar: 71 } }), { courses }))).toEqual([
      "total_mismatch /Course/TeePar",
    ]);
  });

  test("is not taken for a hole of the card where it is one hole short", () => {
    const courses = register(version({ Tees: [tee({ Holes: tee().Holes.toSpliced(4, 1) })] }));
    const card = minimalCard();
    card.Course.Holes = tee().Holes.map(({ Par, Index }) => ({ Par, Index }));
    const { Holes } = accepted(card, { courses }).card.Course;
    expect(Holes?.map(({ Number: number, Length }) => [number, Length])).toEqual(
      tee().Holes.map((_, place) => [place + 1, undefined]),
    );
    expect(short(accepted(card, { courses }).warnings)).toEqual(["tee_incomplete /Course/TeeID"]);

    // Its last pars and indexes are of the holes after the one that is missing.
    card.Course.Holes = tee().Holes.map((hole, place) => (place === 17 ? hole : {}));
    expect(short(faultsOf(card, { courses }))).toEqual(["course_register_incomplete /Course/TeeID"]);
  });

  test("is not told from the card where both have a stroke index twice", () => {
    const spoilt = (place: number, Index: number) =>
      tee().Holes.map((hole, other) => (other === place ? { ...hole, Index } : hole));
    const courses = register(version({ Tees: [tee({ Holes: spoilt(4, 7) })] }));
    const withHoles = (Holes: Json) => minimalCard({ Course: { ...minimalCard().Course, Holes } });
    expect(short(faultsOf(withHoles(spoilt(4, 7)), { courses }))).toEqual([
      "course_register_incomplete /Course/TeeID",
    ]);
    expect(short(faultsOf(withHoles(spoilt(4, 3)), { courses }))).toEqual([
      "stroke_index_repeated /Course/Holes/4/Index",
    ]);
  });

  test("is made good by what the card brings of each hole", () => {
    const Holes = tee().Holes.map((hole, place) => (place === 3 ? { ...hole, Index: null } : hole));
    const courses = register(version({ Tees: [tee({ Holes })] }));
    const card = minimalCard();
    card.Course.Holes = tee().Holes.map((_, place) => (place === 3 ? { Index: 9 } : {}));
    expect(accepted(card, { courses }).card.Course.Holes).toEqual(fullCard().Course.Holes);
  });
});

function nineTee(): Json {
  return { IsNineHole: true, CourseRating: 356000, SlopeRating: 121, Holes: tee().Holes.slice(0, 9) };
}
