import { expect, test } from "vitest";
import { guidKey } from "../../../core/formats/identifiers.ts";
import { planWrites } from "../../../core/register/course-items.ts";
import { recordOf, version } from "./union-in-memory.ts";

const teeId = guidKey("629bdeec-0000-4309-861e-08b072d9509a");
const record = recordOf(version(1, { Tees: [{ ID: teeId, Name: "Yellow", Holes: [] }] } as object));
const club = guidKey(version(1).ClubID);
const ofCourse = { teeId, courseId: guidKey(version(1).TemplateID) };

/** The version's item after its first sync. */
function stored() {
  const { writes, tees } = planWrites(record, club, 1, undefined, undefined);
  expect(tees).toEqual([ofCourse]);
  return { ...writes[0]?.key, ...writes[0]?.set };
}

test("a version that is stored as it is costs no write, nor do its tees", () => {
  expect(planWrites(record, club, 2, stored(), undefined)).toEqual({ writes: [], before: [], tees: [] });
});

test("a version that was stored before tees had items gets theirs, once", () => {
  const { tees: print, ...old } = stored();
  const { writes, tees } = planWrites(record, club, 2, old, undefined);
  expect(tees).toEqual([ofCourse]);
  expect(writes).toMatchObject([{ set: { tees: print, changedAt: { N: "2" } } }]);
});

test("a change that leaves the tees alone writes the version, and the tees' items only if there are others", () => {
  const changed = (change: object) => recordOf({ ...JSON.parse(record.text), ...change });
  expect(planWrites(changed({ Name: "Renamed" }), club, 2, stored(), undefined)).toMatchObject({
    writes: [{ key: { id: { S: record.id } } }],
    tees: [],
  });
  const other = guidKey("73acEFFD-0000-4410-972f-19c183ea610b");
  const more = changed({ Tees: [{ ID: teeId }, { ID: other }] });
  expect(planWrites(more, club, 2, stored(), undefined).tees).toHaveLength(2);
  const moved = changed({ TemplateID: version(2).TemplateID });
  expect(planWrites(moved, club, 2, stored(), undefined).tees).toHaveLength(1);
});
