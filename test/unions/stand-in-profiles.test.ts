import { unionProfiles } from "@scorecard-pipeline/stand-in";
import { expect, test } from "vitest";
import { unionNames, unions } from "../../unions/unions.ts";

test("there is a stand-in for each union, with the same zone, path, API set and rule", () => {
  expect(Object.keys(unionProfiles)).toEqual(unionNames);
  for (const name of unionNames) {
    const { timeZone, exchangePath, records, rules } = unions[name];
    const { scoresForHandicap } = rules;
    expect(unionProfiles[name]).toMatchObject({
      timeZone,
      exchangePath,
      recordsApiSet: records?.apiSet,
      scoresForHandicap,
    });
  }
});
