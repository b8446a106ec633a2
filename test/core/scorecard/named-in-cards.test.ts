import { describe, expect, test } from "vitest";
import { courseReferences } from "../../../core/scorecard/named-in-cards.ts";
import { cardAbroad, clubId, templateId, versionIds } from "./sample-cards.ts";

describe("the courses that a submission names", () => {
  const naming = (CourseID: unknown, ClubID?: unknown) => ({ Course: { CourseID, ClubID } });

  test("are each named once, in upper case, with the club where a card says it", () => {
    expect(
      courseReferences([
        naming(templateId.toLowerCase()),
        naming(templateId, clubId.toLowerCase()),
        naming(templateId),
        naming(versionIds[1], "no club"),
      ]),
    ).toEqual([{ courseId: templateId, clubId }, { courseId: versionIds[1] }]);
  });

  test("keep the first club that is said", () => {
    const other = versionIds[2];
    expect(courseReferences([naming(templateId, clubId), naming(templateId, other)])).toEqual([
      { courseId: templateId, clubId },
    ]);
  });

  test("are not what cannot be read", () => {
    const unreadable = [null, 7, "x", [], {}, { Course: null }, { Course: [] }, naming("x"), naming(7)];
    expect(courseReferences([...unreadable, cardAbroad(), [naming(templateId)]])).toEqual([]);
  });
});
