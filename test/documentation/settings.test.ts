import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { settings } from "../../lib/settings.ts";
import { stageSettingsSchema } from "../../lib/stage-settings.ts";

const configuration = readFileSync("docs/configuration.md", "utf8");

/** Names of the settings as docs/configuration.md writes them; a usage plan's limits are in docs/submitting.md. */
const names = Object.entries(stageSettingsSchema.shape).flatMap(([name, schema]) => {
  const given = "unwrap" in schema ? schema.unwrap() : schema;
  return "shape" in given && name !== "usagePlans"
    ? Object.keys(given.shape).map((part) => `${name}.${part}`)
    : [name];
});

/** The first cells of the tables; `.burst` after `throttling.ratePerSecond` is `throttling.burst`. */
const documented = Array.from(configuration.matchAll(/^\| (`.+?) \|/gm), ([, cell = ""]) => cell).flatMap(
  (cell) => {
    const [first = "", ...others] = Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = ""]) => name);
    return [first, ...others.map((name) => (name.startsWith(".") ? first.split(".")[0] + name : name))];
  },
);

test("docs/configuration.md has every setting, and no other", () => {
  expect(documented.toSorted()).toEqual(names.filter((name) => name !== "stage").toSorted());
});

test("docs/submitting.md has the usage plans as they are deployed", () => {
  const limits = readFileSync("docs/submitting.md", "utf8");
  const figure = new Intl.NumberFormat("en");
  for (const { usagePlans } of Object.values(settings)) {
    for (const [plan, { ratePerSecond, ...day }] of Object.entries(usagePlans)) {
      const cells = [ratePerSecond, 2 * ratePerSecond, day.requestsPerDay, day.cardsPerDay].map((value) =>
        figure.format(value),
      );
      expect(limits).toContain(`| \`${plan}\` | ${cells.join(" | ")} |`);
    }
  }
});
