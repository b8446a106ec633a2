import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { dataVersion } from "../../lib/data-version.ts";
import {
  type LastingResource,
  lastingResources,
  replacements,
  type TemplateResource,
} from "../../lib/releases/lasting-resources.ts";
import { migrations } from "../../lib/releases/migrations.ts";
import { readReleases } from "../../lib/releases/release.ts";
import { settings } from "../../lib/settings.ts";
import { stages } from "../../lib/stage-settings.ts";
import { templateOf } from "../synthesized-stack.ts";

const releases = readReleases();

/** The replacements that no tested migration makes good, a sentence each. */
function brokenPromises(
  from: string,
  before: Readonly<Record<string, LastingResource>>,
  after: Readonly<Record<string, LastingResource>>,
  known = migrations,
): string[] {
  const unmigrated = replacements(before, after).filter(
    ({ id }) => !known.some((one) => one.from === from && one.resource === id && existsSync(one.test)),
  );
  return unmigrated.map(({ id, after: now }) =>
    now === undefined
      ? `replacement: an update from ${from} removes ${id}, which is no longer in the template under this id`
      : `replacement: an update from ${from} makes a new ${id}`,
  );
}

test("every release of the changelog that names its commit is recorded, and no other", () => {
  const changelog = readFileSync("CHANGELOG.md", "utf8");
  const named = Array.from(
    changelog.matchAll(/^## \[(\d+\.\d+\.\d+)\]\n\nCommit ([0-9a-f]+)\.$/gm),
    ([, version, commit]) => ({ version, commit }),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(releases.map(({ version, commit }) => ({ version, commit }))).toEqual(named.toReversed());
});

describe.each(stages)("in %s", (stage) => {
  test.each(releases)(
    "an update from $version replaces no table, queue, key, secret or API without a tested migration",
    async ({ version, resources }) => {
      const { Resources } = (await templateOf(settings[stage])).toJSON();
      const after = lastingResources(Resources as Record<string, TemplateResource>);
      // An operator who has a table made anew has decided so; a test of its own proves that only this table changes.
      const first = Object.entries(after).map(
        ([id, one]) => [id.replace(/Generation\d+$/, ""), one] as const,
      );
      expect(brokenPromises(version, resources[stage], Object.fromEntries(first))).toEqual([]);
    },
  );
});

test("the data version rises with a migration, and not without one", () => {
  const needed = Math.max(1, ...migrations.map((one) => one.dataVersion));
  expect(dataVersion).toBe(needed);
  for (const release of releases) expect(release.dataVersion).toBeLessThanOrEqual(dataVersion);
});

describe("a change of the last release's template", () => {
  const { version = "", resources } = releases.at(-1) ?? {};
  const before = resources?.production ?? {};
  const table = "ScorecardTable40391E67";
  const changed = (id: string, change: object) => ({
    ...before,
    [id]: { ...before[id], ...change } as LastingResource,
  });

  test.each([
    ["another key of the cards' table", changed(table, { KeySchema: [{ AttributeName: "apiSet" }] })],
    ["another type of its key", changed(table, { KeyTypes: ["N"] })],
    ["a name for the delivery queue", changed("DeliveryDeliveryQueueC61F3BC7", { QueueName: "delivery" })],
    ["another name of the mirror's secret", changed("MirrorMirrorSecret0B4843E1", { Name: "mirror" })],
    ["a key for several regions", changed("DataKey17AFBB84", { MultiRegion: true })],
    ["another kind of API", changed("VendorApi66947FE7", { Type: "AWS::ApiGatewayV2::Api" })],
  ])("%s is a replacement", (_what, after) => {
    expect(brokenPromises(version, before, after)).toEqual([expect.stringContaining("makes a new")]);
  });

  test("a table under another logical ID is removed, unless a migration that is tested says how", () => {
    const { [table]: moved, ...others } = before;
    const after = { ...others, ScorecardsAnew: moved as LastingResource };
    expect(brokenPromises(version, before, after)).toEqual([expect.stringContaining(`removes ${table}`)]);
    const migration = { from: version, resource: table, dataVersion: 2 };
    const tested = [{ ...migration, test: "test/end-to-end/upgrade.proof.ts" }];
    expect(brokenPromises(version, before, after, tested)).toEqual([]);
    const untested = [{ ...migration, test: "test/end-to-end/no-such.test.ts" }];
    expect(brokenPromises(version, before, after, untested)).toHaveLength(1);
  });

  test("more tables, and properties that CloudFormation changes in place, are no replacement", () => {
    const template = {
      Table: {
        Type: "AWS::DynamoDB::Table",
        Properties: {
          KeySchema: [{ AttributeName: "id", KeyType: "HASH" }],
          AttributeDefinitions: [{ AttributeName: "id", AttributeType: "S" }],
        },
      },
    };
    const more = structuredClone(template.Table);
    more.Properties.AttributeDefinitions.push({ AttributeName: "state", AttributeType: "S" });
    const after = { Table: { ...more, DeletionPolicy: "Retain" }, Other: template.Table };
    expect(replacements(lastingResources(template), lastingResources(after))).toEqual([]);
  });
});
