import { describe, expect, test } from "vitest";
import { versionFacts } from "../../../core/golf/course-versions.ts";
import type { Json } from "./sample-cards.ts";
import { clubId, red, tee, templateId, version, versionIds, yellowId } from "./sample-courses.ts";

const dirty = (changes: Json) => versionFacts({ ...version(), ...changes });

describe("what choosing among course versions looks at", () => {
  test("is read from a version", () => {
    const tees = [tee(), red()];
    expect(versionFacts(version({ Tees: tees }))).toMatchObject({
      id: versionIds[0],
      templateId,
      clubId,
      activatedAt: Date.UTC(2024, 2, 31, 22),
      active: true,
      version: 1,
      tees,
    });
  });

  test("is read once", () => {
    const one = version();
    expect(versionFacts(one)).toBe(versionFacts(one));
    expect(versionFacts(version())).not.toBe(versionFacts(one));
  });

  test("minds no case of an ID", () => {
    const facts = dirty({ ID: versionIds[0]?.toLowerCase(), Tees: [tee({ ID: yellowId.toLowerCase() })] });
    expect(facts.id).toBe(versionIds[0]);
    expect([...facts.teesById.keys()]).toEqual([yellowId]);
  });

  test("is that it never became valid where its date is none", () => {
    for (const none of [null, undefined, "", "20240230T220000", 20240331])
      expect(dirty({ ActivationDate: none }).activatedAt).toBe(Number.POSITIVE_INFINITY);
  });

  test("is that it is not active where the register does not say so", () => {
    for (const none of [null, undefined, "true", 1]) expect(dirty({ IsActive: none }).active).toBe(false);
  });

  test("leaves out tees that are none, and IDs that are none", () => {
    expect(dirty({ Tees: null }).tees).toEqual([]);
    const { ID, ...nameless } = tee();
    const facts = dirty({ Tees: [null, 7, "x", nameless, red()] });
    expect(facts.tees).toEqual([nameless, red()]);
    expect([...facts.teesById.values()]).toEqual([red()]);
  });

  test("has the first of two tees with one ID", () => {
    const facts = dirty({ Tees: [tee({ Name: "first" }), tee({ Name: "second" })] });
    expect([...facts.teesById.values()].map(({ Name }) => Name)).toEqual(["first"]);
  });
});
