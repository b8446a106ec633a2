import { expect, test } from "vitest";
import type { ApiSet } from "../../../core/accounts/account.ts";
import { assessSubmission } from "../../../core/golf/assess.ts";
import type { CourseVersion } from "../../../core/golf/course.ts";
import { sampleTournament } from "../../../local/sample/tournament.ts";
import { denmark } from "../../../unions/denmark.ts";
import { courses, tournamentOptions } from "./small-union.ts";

const registered = courses as readonly unknown[] as readonly CourseVersion[];

function versionsNamed(courseId: string): readonly CourseVersion[] | undefined {
  const isNamed = ({ ID, TemplateID }: CourseVersion) =>
    ID.toUpperCase() === courseId || TemplateID.toUpperCase() === courseId;
  const templateId = registered.find(isNamed)?.TemplateID;
  return templateId === undefined
    ? undefined
    : registered.filter((version) => version.TemplateID === templateId);
}

test("the rules say of every card what the sample expects of it, and no more", () => {
  const options = tournamentOptions();
  const { now, timeZone, country } = options;
  for (const { cards } of sampleTournament(options)) {
    const bodies = cards.map(({ card }) => card);
    const assessed = assessSubmission(bodies, {
      apiSet: "greens" as ApiSet,
      now,
      timeZone,
      country,
      highestHandicapIndex: denmark.rules.highestHandicapIndex,
      courses: versionsNamed,
    });
    for (const [index, { expected }] of cards.entries()) {
      const said = assessed[index];
      expect(said?.good === false ? said.faults.map(({ code }) => code) : []).toEqual(
        expected.kind === "refused" ? [expected.code] : [],
      );
      expect(said?.good === true ? said.warnings : []).toEqual([]);
    }
  }
});
