import { describe, expect, test } from "vitest";
import { stages } from "../../lib/stage-settings.ts";
import { partners, switchNames, templateWith } from "./switched-templates.ts";
import { updateFaults } from "./update-rules.ts";

describe.each(stages)("in %s", (stage) => {
  test.each(switchNames)("%s is turned on, off and on again by itself", (name) => {
    const [off, on] = [templateWith(stage), templateWith(stage, name)];
    expect(on).not.toEqual(off);
    expect([updateFaults(off, on), updateFaults(on, off)]).toEqual([[], []]);
  });

  describe.each(partners)("with %s", (partner) => {
    test.each(switchNames.filter((name) => name !== partner))(
      "%s is turned on and off before it, after it, with it and in its place",
      (name) => {
        const states = [[], [partner], [name], [partner, name]].map((names) => templateWith(stage, ...names));
        const faults = states.flatMap((before) => states.flatMap((after) => updateFaults(before, after)));
        expect(faults).toEqual([]);
      },
    );
  });
});
