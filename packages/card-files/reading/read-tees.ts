import { type Assignment, placeOf, textsOf } from "./assign-columns.ts";
import type { RoundContext } from "./find-sheet.ts";
import { plainHeading } from "./headings.ts";
import { parseHandicap } from "./read-holes.ts";
import type {
  Answers,
  CourseOfClub,
  Facts,
  Note,
  Question,
  Reading,
  WorkingRow,
  WorkingTable,
} from "./reading.ts";
import { courseHandicapBy, findTees, type Gender, genderOfText, type TeeChoice, teesOf } from "./tees.ts";

/** Finds the tee of each row. */
export interface ReadTees {
  /** The tee of a row; undefined if it cannot be told. */
  readonly teeOf: (row: WorkingRow) => TeeChoice | undefined;
  readonly course: CourseOfClub | undefined;
  /** The column of the tees' names. */
  readonly column?: string | undefined;
  readonly questions: readonly Question[];
  readonly notes: readonly Note[];
  readonly wants: Reading["wants"];
}

const nobody: Reading["wants"] = { members: [] };

/** How a course is named for a person, and in an answer. */
export const courseLabel = ({ clubName, Name }: CourseOfClub): string =>
  plainHeading(clubName) === plainHeading(Name) ? Name : `${clubName}, ${Name}`;

/** Whether a text has a name in it as whole words. */
export const hasName = (texts: readonly string[], name: string) =>
  plainHeading(name).length > 3 &&
  texts.some((text) => ` ${plainHeading(text)} `.includes(` ${plainHeading(name)} `));

const isCourse = (course: CourseOfClub, answer: string) =>
  [course.ID, course.TemplateID].some((id) => id.toLowerCase() === answer.toLowerCase()) ||
  [courseLabel(course), course.Name].some((name) => plainHeading(name) === plainHeading(answer));

/** The courses that the file itself names, or else its club. */
function namedCourses(courses: readonly CourseOfClub[], texts: readonly string[]): readonly CourseOfClub[] {
  const plain = texts.map(plainHeading);
  const labelled = courses.filter((course) => plain.includes(plainHeading(courseLabel(course))));
  if (labelled.length === 1) return labelled;
  const ofClub = courses.filter(({ clubName }) => hasName(texts, clubName));
  const named = (ofClub.length > 0 ? ofClub : courses).filter(({ Name }) => hasName(texts, Name));
  return named.length > 0 && (named.length < courses.length || ofClub.length > 0) ? named : ofClub;
}

const onlyOne = <Item>(items: readonly Item[]): Item | undefined =>
  items.length === 1 ? items[0] : undefined;

/**
 * Finds the course that was played, and the tee of each row by its name and the player's gender. A table with the tees' IDs needs neither.
 *
 * @param day of most rounds
 */
export function readTees(
  table: WorkingTable,
  byKind: Assignment,
  { answers, facts, loose: around }: RoundContext,
  day: string | undefined,
): ReadTees {
  const none = { teeOf: () => undefined, course: undefined, questions: [], notes: [], wants: nobody };
  if (byKind.has("Course/TeeID")) return none;
  const courseNames = [...new Set(textsOf(table, byKind.get("Course/Name") ?? ""))];
  const loose = [...around, ...courseNames];
  const column = byKind.get("Course/TeeName");
  const names = column === undefined ? [] : [...new Set(textsOf(table, column))];
  const { course: answer } = answers;
  // One answer would be wrong for some of the rows.
  if (courseNames.length > 1)
    return { ...none, questions: [{ id: "course", about: courseNames.join(", "), choices: [] }] };
  if (facts.courses === "unreadable") return { ...none, notes: [{ kind: "unreadable", text: "" }] };
  if (facts.courses === undefined) {
    const texts = answer === undefined ? loose : [answer, ...loose];
    return {
      ...none,
      wants: { courses: { texts, clubNumbers: clubNumbersIn(table, byKind), day }, members: [] },
    };
  }
  const usable = facts.courses.filter(({ Tees }) => Tees.length > 0);
  const ofFile = namedCourses(usable, loose);
  const hasTee = (course: CourseOfClub) => (name: string) =>
    findTees(name, teesOf(course), undefined).length > 0;
  const fitting = (list: readonly CourseOfClub[]) => {
    const all = list.filter((course) => names.every(hasTee(course)));
    // A tee that is mistyped in a row is asked for by itself.
    return all.length > 0 ? all : list.filter((course) => names.some(hasTee(course)));
  };
  const course =
    answer === undefined
      ? onlyOne(fitting(ofFile))
      : (usable.find((one) => isCourse(one, answer)) ?? onlyOne(fitting(namedCourses(usable, [answer]))));
  if (course === undefined) {
    const offered = fitting(usable).length > 0 ? fitting(usable) : usable;
    const choices = offered.map((one) => ({ value: one.ID, label: courseLabel(one) }));
    const question: Question = { id: "course", about: "", choices };
    return { ...none, questions: [question] };
  }
  const notes: Note[] = answer === undefined ? [{ kind: "course", text: courseLabel(course) }] : [];
  const named = column ?? findTeeColumn(table, byKind, course);
  const byTee = named === undefined ? byKind : new Map([...byKind, ["Course/TeeName", named]]);
  return { ...resolveTees(table, byTee, course, names, answers, facts), column: named, course, notes };
}

/** A column whose texts are all tees of the course, whatever its heading is. */
const findTeeColumn = (table: WorkingTable, byKind: Assignment, course: CourseOfClub): string | undefined => {
  const used = new Set(byKind.values());
  return table.names.find((name) => {
    const texts = used.has(name) ? [] : textsOf(table, name).filter((text) => /\p{L}{2}/u.test(text));
    return texts.length > 0 && texts.every((text) => findTees(text, teesOf(course), undefined).length > 0);
  });
};

/** The numbers of the clubs that most players are members of. */
function clubNumbersIn(table: WorkingTable, byKind: Assignment): number[] {
  const counts = new Map<number, number>();
  for (const text of textsOf(table, byKind.get("Player/UnionID") ?? "")) {
    const club = Number(/^(\d+)-/.exec(text)?.[1]);
    if (club > 0) counts.set(club, (counts.get(club) ?? 0) + 1);
  }
  return [...counts]
    .toSorted((one, other) => other[1] - one[1])
    .map(([club]) => club)
    .slice(0, 2);
}

function resolveTees(
  table: WorkingTable,
  byKind: Assignment,
  course: CourseOfClub,
  names: readonly string[],
  answers: Answers,
  facts: Facts,
): Pick<ReadTees, "teeOf" | "questions" | "wants"> {
  const tees = teesOf(course);
  const place = (kind: string) => placeOf(table, byKind, kind);
  const [ofTee, ofGender, ofPlayer, ofIndex, ofHandicap] = [
    "Course/TeeName",
    "gender",
    "Player/UnionID",
    "HCP",
    "CourseHandicap",
  ].map(place);
  const textIn = ({ cells }: WorkingRow, at = -1) => cells[at] ?? "";
  // Beside H for hombre, M is mujer.
  const isSpanish = ["H", "M"].every((sign) => table.rows.some((row) => textIn(row, ofGender) === sign));
  const genderIn = (row: WorkingRow) =>
    isSpanish && textIn(row, ofGender) === "M" ? 1 : genderOfText(textIn(row, ofGender));
  const nameOf = (row: WorkingRow) => {
    const text = textIn(row, ofTee);
    return (text === "" ? answers.tee : (answers[`tee:${text}`] ?? text)) ?? "";
  };
  const asked = new Set<string>();
  const found = new Map<string, readonly TeeChoice[]>();
  /** As `findTees`; thousands of rows name the same few tees. */
  const teesNamed = (name: string, gender: Gender | undefined) => {
    const key = `${gender} ${name}`;
    const known = found.get(key) ?? findTees(name, tees, gender);
    found.set(key, known);
    return known;
  };
  const teeOf = (row: WorkingRow): TeeChoice | undefined => {
    const name = nameOf(row);
    if (name === "") return undefined;
    const named = teesNamed(name, genderIn(row));
    if (named.length <= 1) return named[0];
    const fit = fittingHandicap(named, textIn(row, ofIndex), textIn(row, ofHandicap));
    if (fit !== undefined) return fit;
    const player = textIn(row, ofPlayer);
    const member = facts.members?.get(player);
    const ofMember =
      member?.gender === undefined ? [] : named.filter(({ gender }) => gender === member.gender);
    if (ofMember.length === 1) return ofMember[0];
    if (member === undefined && /^\d+-\w+$/.test(player)) asked.add(player);
    return undefined;
  };
  for (const row of table.rows) teeOf(row);
  const unknown = names.filter(
    (name) => findTees(answers[`tee:${name}`] ?? name, tees, undefined).length === 0,
  );
  const lacks = table.rows.some((row) => nameOf(row) === "");
  const isUnknownAnswer = answers.tee !== undefined && findTees(answers.tee, tees, undefined).length === 0;
  const choices = teeChoices(tees);
  const questions: Question[] = [...unknown, ...(lacks || isUnknownAnswer ? [""] : [])].map((about) => ({
    id: "tee",
    about,
    choices,
  }));
  return { teeOf, questions, wants: { members: [...asked] } };
}

const genderSigns: Readonly<Record<Gender, string>> = { 1: "♀", 2: "♂" };

/** The tees of a course by their names, each with gender, par, rating and slope. */
function teeChoices(tees: readonly TeeChoice[]): { readonly value: string; readonly label: string }[] {
  return [...Map.groupBy(tees, ({ name }) => name)].map(([value, same]) => ({
    value,
    label: `${value}: ${same.map(describeTee).join("; ")}`,
  }));
}

/** A tee by its gender, par, rating and slope, such as `♂ par 72, 71.8/131`. */
export const describeTee = ({
  gender,
  par,
  rating,
  slope,
}: Pick<TeeChoice, "gender" | "par" | "rating" | "slope">): string =>
  `${gender === undefined ? "" : `${genderSigns[gender]} `}par ${par}, ${(rating / 10_000).toFixed(1)}/${slope}`;

/** The one tee by which an index comes to a Course Handicap; undefined if none or several do. */
function fittingHandicap(tees: readonly TeeChoice[], index: string, handicap: string): TeeChoice | undefined {
  const [tenThousandths, wanted] = [indexOf(index), parseHandicap(handicap)];
  if (tenThousandths === undefined || wanted === undefined) return undefined;
  const fitting = tees.filter((tee) => courseHandicapBy(tenThousandths, tee) === wanted);
  return fitting.length === 1 ? fitting[0] : undefined;
}

/** A Handicap Index times 10,000 by its text; a plus handicap is negative. */
export function indexOf(text: string): number | undefined {
  const [, sign, number] = /^([+-]?)(\d{1,2}(?:[.,]\d)?)$/.exec(text) ?? [];
  if (number === undefined) return undefined;
  const value = Math.round(Number(number.replace(",", ".")) * 10_000);
  return sign === "" ? value : -value;
}
