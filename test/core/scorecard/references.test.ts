import { describe, expect, test } from "vitest";
import { courseReferences } from "../../../core/scorecard/references.ts";
import { cardAbroad, clubId, templateId, versionIds } from "./sample-cards.ts";

describe("courses that a submission refers to", () => {
  const naming = (CourseID: unknown, ClubID?: unknown) => ({ Course: { CourseID, ClubID } });

  test("each course is listed once per club, in upper case", () => {
    expect(
      courseReferences([
        naming(templateId.toLowerCase()),
        naming(templateId, clubId.toLowerCase()),
        naming(templateId),
        naming(templateId, versionIds[2]),
        naming(templateId, clubId),
        naming(versionIds[1], "no club"),
      ]),
    ).toEqual([
      { courseId: templateId },
      { courseId: templateId, clubId },
      { courseId: templateId, clubId: versionIds[2] },
      { courseId: versionIds[1] },
    ]);
  });

  test("unreadable IDs are skipped", () => {
    const unreadable = [null, 7, "x", [], {}, { Course: null }, { Course: [] }, naming("x"), naming(7)];
    expect(courseReferences([...unreadable, cardAbroad(), [naming(templateId)]])).toEqual([]);
  });
});
