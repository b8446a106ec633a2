import type { CourseVersion } from "../../packages/stand-in/register/records.ts";
import { inventUnion, type UnionData } from "../../packages/stand-in/register/union-data.ts";

/** A union in which every club has one course of 18 holes in as many versions as are asked for. */
export function registerOf(clubs: number, versions: number, now: Date): UnionData {
  const invented = inventUnion({ seed: 1, clubs, members: 1, now });
  const [pattern] = invented.courses.filter(({ NumberOfHoles }) => NumberOfHoles === 18);
  if (pattern === undefined) throw new Error("The union has no course of 18 holes.");
  const courses = invented.clubs.flatMap(({ ID: clubId }, club) =>
    Array.from({ length: versions }, (_, version): CourseVersion => {
      const course = String(club).padStart(8, "0");
      return {
        ...pattern,
        ID: `${course}-0000-4000-8000-00000000000${version + 1}`,
        TemplateID: `${course}-0000-4000-8000-000000000000`,
        ClubID: clubId,
        Version: version + 1,
        ActivationDate: `${2022 + version}0331T220000`,
        IsActive: version === versions - 1,
      };
    }),
  );
  return { ...invented, courses, changed: new Map(courses.map(({ ID }) => [ID, now.getTime()])) };
}
