import { expect, test } from "vitest";
import { guidKey } from "../../../core/formats/identifiers.ts";
import { planWrites } from "../../../core/register/course-items.ts";
import { recordOf, version } from "./union-in-memory.ts";

const teeId = guidKey("629bdeec-0000-4309-861e-08b072d9509a");
const record = recordOf(version(1, { Tees: [{ ID: teeId, Name: "Yellow", Holes: [] }] } as object));
const club = guidKey(version(1).ClubID);
const { TemplateID } = version(1);
const ofCourse = {
  id: { S: `tee#${teeId}@${TemplateID}` },
  templateId: { S: `tee#${teeId}` },
  version: { N: "0" },
};

/** The version's item after its first sync. */
function stored() {
  const { writes, before } = planWrites(record, club, 1, undefined, undefined);
  expect(before).toEqual([ofCourse]);
  return { ...writes[0]?.key, ...writes[0]?.set };
}

test("a version that is stored as it is costs no write, nor do its tees", () => {
  expect(planWrites(record, club, 2, stored(), undefined)).toEqual({ writes: [], before: [] });
});

test("a version that was stored before a tee could have several courses gets items for its tees, once", () => {
  const { teeItems, ...old } = stored();
  const { writes, before } = planWrites(record, club, 2, old, undefined);
  expect(before).toEqual([ofCourse]);
  expect(writes).toMatchObject([{ set: { teeItems, changedAt: { N: "2" } } }]);
});

test("a change that leaves the tees alone writes the version, and the tees' items only if there are others", () => {
  const changed = (change: object) => recordOf({ ...JSON.parse(record.text), ...change });
  expect(planWrites(changed({ Name: "Renamed" }), club, 2, stored(), undefined)).toMatchObject({
    writes: [{ key: { id: { S: record.id } } }],
    before: [],
  });
  const other = guidKey("73acEFFD-0000-4410-972f-19c183ea610b");
  const more = changed({ Tees: [{ ID: teeId }, { ID: other }] });
  expect(planWrites(more, club, 2, stored(), undefined).before).toHaveLength(2);
  const moved = changed({ TemplateID: version(2).TemplateID });
  expect(planWrites(moved, club, 2, stored(), undefined).before).toHaveLength(1);
});
