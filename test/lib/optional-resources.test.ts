import { describe, expect, test } from "vitest";
import { stageSettingsSchema, stages } from "../../lib/stage-settings.ts";
import { everySetting, otherValues } from "./every-setting.ts";
import { partners, switchNames, templateWith } from "./switched-templates.ts";
import { typeRules, type UpdatedTemplate, updateFaults } from "./update-rules.ts";

// Each switch by itself, and each pair with these: setting-switches.proof.ts.
describe.each(stages)("in %s", (stage) => {
  test.each([...partners.map((name) => [name]), switchNames])(
    "settings are turned on, off and on again, and nothing is lost: %s",
    (...names) => {
      const [off, on] = [templateWith(stage), templateWith(stage, ...names)];
      expect(on).not.toEqual(off);
      expect([updateFaults(off, on), updateFaults(on, off)]).toEqual([[], []]);
    },
  );
});

test("every setting is switched, but the stage itself and what makes a table anew", () => {
  const switched = Object.keys({ ...everySetting, ...otherValues, union: {} });
  const all = Object.keys(stageSettingsSchema.shape).filter(
    (name) => !/^(stage|tableGeneration)$/.test(name),
  );
  expect(switched.toSorted()).toEqual(all.toSorted());
});

const resource = (Type: string, Properties: object, DeletionPolicy = "Delete") => ({
  Type,
  Properties: { ...Properties },
  DeletionPolicy,
});
const secret = (Name: string, policy?: string) => resource("AWS::SecretsManager::Secret", { Name }, policy);
const table = (key: string) => resource("AWS::DynamoDB::Table", { KeySchema: [{ AttributeName: key }] });

const faulty: readonly (readonly [
  string,
  UpdatedTemplate["Resources"],
  UpdatedTemplate["Resources"],
  string,
])[] = [
  ["a named resource that is kept", { A: secret("a", "Retain") }, {}, "A: stays"],
  ["a name that moves", { A: secret("a") }, { B: secret("a") }, "B: AWS::SecretsManager::Secret"],
  ["another name of what holds data", { A: secret("a") }, { A: secret("b") }, "A: is replaced"],
  ["another type", { A: table("id") }, { A: secret("a") }, "A: a resource cannot become"],
  ["a type without rules", {}, { A: resource("AWS::S3::Bucket", {}) }, "A: no rules are known"],
];

test.each(faulty)("%s is found", (_what, before, after, fault) => {
  const found = updateFaults({ Resources: before }, { Resources: after });
  expect(found).toContainEqual(expect.stringContaining(fault));
});

test("no rule is kept for a type that no stage has", () => {
  const { Resources } = templateWith("production", ...switchNames);
  const used = new Set(Object.values(Resources).map(({ Type }) => Type));
  expect(Object.keys(typeRules).filter((type) => !used.has(type))).toEqual([]);
});
