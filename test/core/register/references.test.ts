import { describe, expect, test } from "vitest";
import { clubsWithoutCourse, courseReferences } from "../../../core/register/course-references.ts";
import { cardAbroad } from "../golf/sample-cards.ts";
import { clubId, templateId, versionIds, yellowId } from "../golf/sample-courses.ts";

describe("courses that a submission refers to", () => {
  const naming = (CourseID: unknown, ClubID?: unknown) => ({ Course: { CourseID, ClubID } });

  test("each course is listed once, in upper case", () => {
    expect(
      courseReferences([
        naming(templateId.toLowerCase()),
        naming(templateId, clubId.toLowerCase()),
        naming(templateId),
        naming(versionIds[1], "no club"),
      ]),
    ).toEqual([{ courseId: templateId }, { courseId: versionIds[1] }]);
  });

  test("unreadable IDs are skipped", () => {
    const unreadable = [null, 7, "x", [], {}, { Course: null }, { Course: [] }, naming("x"), naming(7)];
    expect(courseReferences([...unreadable, cardAbroad(), [naming(templateId)]])).toEqual([]);
  });

  test("a tee is listed once, in upper case, for cards that name no course", () => {
    const played = (TeeID: unknown, CourseID?: unknown) => ({ Course: { TeeID, CourseID } });
    const cards = [
      played(yellowId.toLowerCase()),
      played(yellowId, null),
      played(yellowId, ""),
      played(yellowId, "no GUID"),
      played("no GUID"),
    ];
    expect(courseReferences(cards)).toEqual([{ teeId: yellowId }]);
    expect(courseReferences([played(yellowId, templateId)])).toEqual([{ courseId: templateId }]);
  });

  test("clubs are listed once, in upper case, of cards that name no course", () => {
    const cards = [naming(null, clubId.toLowerCase()), naming("", clubId), naming(templateId, versionIds[0])];
    expect(clubsWithoutCourse([...cards, naming(undefined, "no GUID"), null])).toEqual([clubId]);
  });
});
