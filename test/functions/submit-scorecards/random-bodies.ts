/** A course that the bodies' cards name. */
interface PlayedCourse {
  readonly courseId: string;
  readonly clubId: string;
  readonly teeId: string;
  readonly pars: readonly number[];
}

/**
 * Bodies that a careless or hostile client could post as a submission: any JSON, cards with anything in their fields,
 * huge numbers, deep nesting, names such as `__proto__`, and bodies that are cut or no UTF-8.
 *
 * @param random numbers from 0 to 1
 */
export function* randomBodies(course: PlayedCourse, random: () => number): Generator<Buffer> {
  const below = (count: number) => Math.floor(random() * count);
  const oneOf = <T>(choices: readonly T[]): T => choices[below(choices.length)] as T;

  const pieces = () =>
    oneOf([
      "null",
      "true",
      "-1",
      "0",
      "1e999",
      "-1e308",
      "123456789012345678901234567890",
      "1.5",
      '""',
      '"20250230T250000"',
      '"\\ud800"',
      '"\\u0000"',
      `"${"x".repeat(below(2_000))}"`,
      "[]",
      "{}",
      '{"__proto__":{"polluted":true}}',
      '{"constructor":{"prototype":{"polluted":true}}}',
      `${"[".repeat(50)}${"]".repeat(50)}`,
    ]);
  const name = () =>
    oneOf(["__proto__", "constructor", "toString", "HCP", "Course", "Holes", "Strokes", "", "x"]);
  function anything(depth: number): string {
    const kind = depth === 0 ? 0 : below(4);
    const entries = Array.from({ length: below(4) });
    if (kind === 1) return `[${entries.map(() => anything(depth - 1)).join()}]`;
    if (kind === 2) return `{${entries.map(() => `"${name()}":${anything(depth - 1)}`).join()}}`;
    return pieces();
  }

  const good = (card: number) => ({
    CreateDateTime: "20250622T190200",
    ExternalID: `card-${card}`,
    HCP: oneOf<unknown>(["90000", 90000]),
    CourseHandicap: 9,
    Course: { CourseID: course.courseId, ClubID: course.clubId, TeeID: course.teeId },
    Marker: { FullName: "Marker One" },
    Result: { Strokes: course.pars.map((par) => par + below(3)), IsQualifying: true },
    Round: { HolesPlayed: course.pars.length, RoundType: 1, StartTime: "20250622T145700" },
    Player: { UnionID: "1016-1" },
  });

  /** A card with a few of its values replaced by random ones. */
  function spoiltCard(): string {
    const text = JSON.stringify(good(below(1_000_000)));
    const values = [...text.matchAll(/(?<=:)("[^"]*"|-?\d+|true|\[[^\]]*\])/g)];
    let spoilt = text;
    for (const { 0: value, index } of Array.from({ length: below(3) }, () => oneOf(values)).sort(
      (one, other) => other.index - one.index,
    )) {
      spoilt = `${spoilt.slice(0, index)}${anything(2)}${spoilt.slice(index + value.length)}`;
    }
    return below(4) === 0 ? spoilt.replace("{", `{"${name()}":${anything(2)},`) : spoilt;
  }

  const submission = () => `[${Array.from({ length: 1 + below(3) }, spoiltCard).join()}]`;
  const broken = (bytes: Buffer) => {
    for (let change = below(4); change >= 0; change--) bytes[below(bytes.length)] = below(256);
    return bytes;
  };
  const kinds: (() => Buffer)[] = [
    () => Buffer.from(submission()),
    () => Buffer.from(submission()),
    () => Buffer.from(anything(4)),
    () => Buffer.from(`[${anything(4)}]`),
    () => Buffer.from(submission()).subarray(0, below(400)),
    () => broken(Buffer.from(submission())),
    () => Buffer.from(Array.from({ length: below(200) }, () => below(256))),
    () => Buffer.from(oneOf(["[", '[{"Course":', '[{"x":[']).repeat(below(2_000))),
    () => Buffer.from(`[{"x":${"[".repeat(below(3_000))}1`),
  ];
  for (;;) yield oneOf(kinds)();
}
