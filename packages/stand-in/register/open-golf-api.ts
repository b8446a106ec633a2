import { createReadStream } from "node:fs";
import { pipeline, type Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import * as z from "zod";
import { identifier } from "../base/identifier.ts";
import { seededRandom } from "../base/seeded-random.ts";
import { localMidnight, timestamp, unionYear } from "../base/union-time.ts";
import { clubOf } from "./club.ts";
import { type LaidOutHole, plausibleLength } from "./course-layout.ts";
import type { DatedVersion } from "./invented-course.ts";
import type { Club } from "./records.ts";
import { type TeePlan, teeRecords } from "./tees.ts";
import { type UnionData, unionData } from "./union-data.ts";

const nullableText = z.string().nullish();

/** The parts of a GeoJSON feature of OpenGolfAPI that a course is made from. */
const featureSchema = z.object({
  properties: z.object({
    id: z.string(),
    name: z.string(),
    city: nullableText,
    address: nullableText,
    postal_code: nullableText,
    phone: nullableText,
    website: nullableText,
    /** Yards. */
    total_yardage: z.number().nullish(),
    updated_at: nullableText,
    scorecard: z
      .array(z.object({ hole: z.int(), par: z.int(), handicap_index: z.int().nullish() }))
      .nullish(),
  }),
});

type RealCourse = z.infer<typeof featureSchema>["properties"];

/** The format has no tees. */
const tees: readonly TeePlan[] = [
  { name: "White", share: 1, genders: [2] },
  { name: "Red", share: 0.86, genders: [1] },
];

/** Union numbers of real courses' clubs start above those of invented ones. */
const firstUnionNumber = 10_001;
const metresPerYard = 0.9144;

/** The holes in the record, however few; their lengths are invented, in proportion to the total length if it is known. */
function holesOf(course: RealCourse): LaidOutHole[] {
  const random = seededRandom(course.id);
  const listed = (course.scorecard ?? []).map(({ hole, par, handicap_index: index }) => ({
    number: hole,
    par,
    // 0 means that the index is unknown; a repeated index stays as it is in the record.
    index: index || null,
    length: plausibleLength(par, random),
  }));
  const total = listed.reduce((sum, { length }) => sum + length, 0);
  const known = course.total_yardage;
  const stretch = known && total > 0 ? (known * metresPerYard) / total : 1;
  return listed.map((hole) => ({ ...hole, length: Math.round(hole.length * stretch) }));
}

function realClub(course: RealCourse, place: number): Club {
  return clubOf(identifier("real club", course.id), firstUnionNumber + place, course.name, {
    AddressLine1: course.address ?? null,
    ZipCode: course.postal_code ?? null,
    City: course.city ?? null,
    PrimaryPhone: course.phone ?? null,
    Homepage: course.website ?? null,
  });
}

function realVersion(course: RealCourse, club: Club, activation: Date, now: Date): DatedVersion {
  const template = identifier(club.ID, "course");
  const random = seededRandom(template);
  const holes = holesOf(course);
  const updated = new Date(course.updated_at ?? activation);
  const changed = Number.isNaN(updated.getTime()) || updated > now ? activation : updated;
  const records = {
    owner: template,
    obstacles: 0.2 + random.fraction() * 1.4,
    ratedOn: timestamp(activation),
    changed: timestamp(changed),
    ratingAsText: false,
    oddities: { named: false, timed: true },
  };
  return {
    changed,
    version: {
      ID: identifier(template, "version", 1),
      TemplateID: template,
      ClubID: club.ID,
      ExternalID: course.id,
      Name: course.name,
      NumberOfHoles: holes.length,
      ActivationDate: timestamp(activation),
      IsActive: true,
      IsHcpQualifying: holes.length === 9 || holes.length === 18,
      IsVisible: true,
      Version: 1,
      RatedCourse: course.name,
      Created: timestamp(activation),
      Tees: holes.length === 0 ? [] : teeRecords(tees, holes, records),
    },
  };
}

/** A file of courses cannot be read; the message says which file, why, and which format is expected. */
export class CourseFileError extends Error {
  override readonly name = "CourseFileError";

  /** @param reason text after a colon */
  constructor(path: string, reason: string, options: { cause?: unknown } = {}) {
    super(
      `${path} is not a file of courses: ${reason}. Use the OpenGolfAPI format (https://opengolfapi.org): one GeoJSON feature a line, gzipped or not.`,
      options,
    );
  }
}

/** Why a file cannot be read, for the user who named it. */
function reasonOf(error: NodeJS.ErrnoException): string {
  if (error.code === "ENOENT") return "there is no such file";
  if (error.code === "EISDIR") return "it is a folder";
  return error.message;
}

/** Whether a file is gzipped, by its first two bytes. @see RFC 1952, 2.3.1 */
async function isGzipped(path: string): Promise<boolean> {
  for await (const start of createReadStream(path, { end: 1 })) return start[0] === 0x1f && start[1] === 0x8b;
  return false;
}

async function open(path: string): Promise<Readable> {
  const gzipped = await isGzipped(path);
  const file = createReadStream(path);
  // The reader of the last stream gets the error.
  return gzipped ? pipeline(file, createGunzip(), () => undefined) : file;
}

async function* linesOf(text: Readable): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of text.setEncoding("utf8")) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest;
}

function readFeature(line: string, number: number): RealCourse {
  try {
    return featureSchema.parse(JSON.parse(line)).properties;
  } catch (cause) {
    throw new Error(`line ${number} is not a course`, { cause });
  }
}

/**
 * Reads real courses from a file in the OpenGolfAPI format: GeoJSON features, one a line, gzipped or not.
 *
 * Each becomes a club with one course. Missing holes and stroke indexes stay missing, because real registers lack some, too.
 * The format has no tees, ratings and lengths, so these are invented.
 *
 * @param now the current time, for activation dates
 * @param timeZone of their clubs, an IANA name
 * @throws CourseFileError naming the file, and the line that is not a course or the reason why the file cannot be read
 * @see https://opengolfapi.org
 */
export async function readOpenGolfApi(path: string, now: Date, timeZone: string): Promise<UnionData> {
  const activation = localMidnight(unionYear(now, timeZone) - 2, 4, 1, timeZone);
  const clubs: Club[] = [];
  const versions: DatedVersion[] = [];
  let number = 0;
  try {
    for await (const line of linesOf(await open(path))) {
      number++;
      if (line.trim() === "") continue;
      const course = readFeature(line, number);
      const club = realClub(course, clubs.length);
      clubs.push(club);
      versions.push(realVersion(course, club, activation, now));
    }
  } catch (cause) {
    throw new CourseFileError(path, reasonOf(cause as Error), { cause });
  }
  if (clubs.length === 0) throw new CourseFileError(path, "no course is in it");
  return unionData(clubs, versions, [], timeZone);
}
