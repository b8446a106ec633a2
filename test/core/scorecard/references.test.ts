import { describe, expect, test } from "vitest";
import { courseReferences } from "../../../core/scorecard/references.ts";
import { cardAbroad, clubId, templateId, versionIds } from "./sample-cards.ts";

describe("the courses that a submission names", () => {
  const naming = (CourseID: unknown, ClubID?: unknown) => ({ Course: { CourseID, ClubID } });

  test("are each named once, in upper case, with each club that a card says", () => {
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

  test("are not what cannot be read", () => {
    const unreadable = [null, 7, "x", [], {}, { Course: null }, { Course: [] }, naming("x"), naming(7)];
    expect(courseReferences([...unreadable, cardAbroad(), [naming(templateId)]])).toEqual([]);
  });
});
