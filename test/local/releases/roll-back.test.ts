import { createHash } from "node:crypto";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { StageSettings } from "../../../lib/stage-settings.ts";
import {
  behindDeployedApi,
  commitBefore,
  readTemplate,
  replaceTemplate,
  rollBackFaults,
  type StackTemplate,
} from "../../../local/releases/roll-back.ts";
import type { UnionProfile } from "../../../unions/union-profile.ts";
import { hurried } from "../../hurried-settings.ts";
import { templateOf } from "../../synthesized-stack.ts";

const table = (key: string) => ({
  Type: "AWS::DynamoDB::Table",
  Properties: {
    KeySchema: [{ AttributeName: key }],
    AttributeDefinitions: [{ AttributeName: key, AttributeType: "S" }],
  },
});
const union = (address: string) => ({ Value: { "Fn::If": ["Given", { Ref: "Parameter" }, address] } });
const code = (Code: string) => ({ Type: "AWS::Lambda::Function", Properties: { Code } });
const timeZone = (TIME_ZONE: string) => ({
  Type: "AWS::Lambda::Function",
  Properties: { Environment: { Variables: { TIME_ZONE } } },
});
const parameter = (Value: string) => ({ Type: "AWS::SSM::Parameter", Properties: { Value } });
const mail = { Type: "AWS::SNS::Subscription", Properties: { Endpoint: "greens@scorecards.example" } };

const released: StackTemplate = {
  Resources: {
    Table: table("id"),
    Submit: code("old"),
    Mail: mail,
    Mirror: timeZone("Europe/Copenhagen"),
    Api: { Type: "AWS::ApiGateway::RestApi", Properties: { Body: "old" } },
    Path: { Type: "AWS::ApiGateway::Resource" },
  },
  Outputs: { UnionAddress: union("https://union.example/api") },
};
const deployed: StackTemplate = {
  Resources: {
    Table: table("id"),
    Submit: code("new"),
    Mail: mail,
    Mirror: timeZone("Europe/Copenhagen"),
    Commit: parameter("def5678"),
    Api: { Type: "AWS::ApiGateway::RestApi", Properties: { Body: { Ref: "Preflight" } } },
    Preflight: { Type: "AWS::Lambda::Function", Properties: { Role: { "Fn::GetAtt": ["Role", "Arn"] } } },
    Role: { Type: "AWS::IAM::Role" },
    Unused: code("new"),
    Secret: { Type: "AWS::SecretsManager::Secret" },
  },
  Outputs: { UnionAddress: union("https://union.example/api"), RestApiId: { Value: { Ref: "Api" } } },
};

test("a rollback brings back functions, and leaves the API and what holds data as they are", () => {
  const { Resources, Outputs } = behindDeployedApi(released, deployed, "abc1234");
  const { Unused: _, ...others } = deployed.Resources;
  expect(Resources).toEqual({ ...others, Submit: code("old"), Commit: parameter("abc1234") });
  expect(Outputs).toEqual({ ...deployed.Outputs, DeployedCommit: { Value: "abc1234" } });
  expect(rollBackFaults(released, deployed)).toEqual([]);
});

test.each([
  [
    "data of another version",
    { ...released, Outputs: { ...released.Outputs, DataVersion: { Value: "2" } } },
    "data has version 1, and the commit knows 2",
  ],
  [
    "another time zone",
    { ...released, Resources: { ...released.Resources, Mirror: timeZone("Europe/London") } },
    "settings have TIME_ZONE Europe/London, and the stage has Europe/Copenhagen",
  ],
  [
    "a placeholder for the union",
    { ...released, Outputs: { UnionAddress: union("https://other.example") } },
    "lack https://union.example/api",
  ],
  [
    "nobody who gets the alarms",
    { ...released, Resources: { Table: table("id") } },
    "lack greens@scorecards.example",
  ],
  [
    "a table with another key",
    { ...released, Resources: { ...released.Resources, Table: table("apiSet") } },
    "would replace Table",
  ],
])("a rollback with %s is refused", (_what, before, said) => {
  expect(rollBackFaults(before, deployed)).toEqual([expect.stringContaining(said)]);
});

/** Differs from the settings' own union in all that a profile says. */
const otherUnion: Required<UnionProfile> = {
  name: "Other Union",
  country: "ZZ",
  timeZone: "Asia/Tokyo",
  exchangePath: "Other/Exchange",
  records: { apiSet: "other", account: "vendor" },
  terms: { language: "zz", handicapIndex: "1", courseHandicap: "2", playingHandicap: "3", source: "4" },
  rules: { scoresForHandicap: 3, highestHandicapIndex: 60 },
};

test("a rollback compares every variable that the union's profile or the time that data is kept decides", async () => {
  const synthesize = async (given: StageSettings) => (await templateOf(given)).toJSON() as StackTemplate;
  const variables = ({ Resources }: StackTemplate) =>
    Object.entries(Resources).flatMap(([id, { Properties = {} }]) => {
      const { Variables = {} } = (Properties.Environment ?? {}) as { Variables?: object };
      return Object.entries(Variables).map(([name, value]) => [name, `${id} ${JSON.stringify(value)}`]);
    });
  const ours = await synthesize(hurried);
  const others = await synthesize({
    ...hurried,
    union: { ...hurried.union, ...otherUnion },
    cardRetentionDays: hurried.cardRetentionDays + 1,
  });
  const known = new Set(variables(ours).map(String));
  const changed = variables(others).flatMap((one) => (known.has(String(one)) ? [] : [one[0]]));
  expect(changed).toContain("TIME_ZONE");
  const compared = rollBackFaults(others, ours).flatMap((fault) => /have (\w+)/.exec(fault)?.[1] ?? []);
  expect(compared.toSorted()).toEqual([...new Set(changed)].toSorted());
});

test("a rollback to a release without aliases is refused while the API invokes some", () => {
  const rolledOut = { ...deployed.Resources, Live: { Type: "AWS::Lambda::Alias" } };
  const faults = rollBackFaults(released, { ...deployed, Resources: rolledOut });
  expect(faults).toEqual([expect.stringContaining('rollout: "allAtOnce"')]);
});

test.each([
  ["the first deployment", ["a"], undefined],
  ["two, the second of them twice", ["a", "b", "b"], "a"],
  ["a third that failed and was undone by CloudFormation", ["a", "b", "c", "b"], "a"],
  ["a rollback, and a mended one", ["a", "b", "a", "c"], "a"],
])("after %s, the deployment before is found", (_what, history, before) => {
  expect(commitBefore(history)).toBe(before);
});

test("the CDK uploads the changed template, not the one that it uploaded with the release", async () => {
  const folder = await mkdtemp(join(tmpdir(), "assembly-"));
  const name = "scorecard-pipeline-test";
  const files = {
    abc123: { source: { path: `${name}.template.json` } },
    def456: { source: { path: "asset.def456" } },
  };
  await writeFile(join(folder, `${name}.assets.json`), JSON.stringify({ files }));
  await writeFile(join(folder, "manifest.json"), '{"url":"s3://assets/abc123.json"}');
  await replaceTemplate(folder, "test", deployed);
  const text = await readFile(join(folder, `${name}.template.json`), "utf8");
  const hash = createHash("sha256").update(text).digest("hex");
  expect(await readTemplate(folder, "test")).toEqual(deployed);
  expect(await readFile(join(folder, "manifest.json"), "utf8")).toBe(`{"url":"s3://assets/${hash}.json"}`);
  const named = Object.keys(JSON.parse(await readFile(join(folder, `${name}.assets.json`), "utf8")).files);
  expect(named.toSorted()).toEqual([hash, "def456"].toSorted());
});
