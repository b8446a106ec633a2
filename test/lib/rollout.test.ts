import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import { settings } from "../../lib/settings.ts";
import { templateOf } from "../synthesized-stack.ts";

const byDefault = await templateOf(settings.test);
const canary = await templateOf({ ...settings.test, rollout: "canary" });
const rolledOut = ["authorize", "deliver-scorecards", "submit-scorecards"];

interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly UpdatePolicy?: {
    readonly CodeDeployLambdaAliasUpdate: Readonly<
      Record<"ApplicationName" | "DeploymentGroupName", unknown>
    >;
  };
  readonly DependsOn?: readonly string[];
}

const resources = canary.toJSON().Resources as Readonly<Record<string, Resource>>;
const ofType = (type: string) => new Map(Object.entries(resources).filter(([, { Type }]) => Type === type));
/** The logical ID that a value of the template refers to. */
const referred = (value: unknown) =>
  JSON.stringify(value).match(/"(?:Ref|Fn::GetAtt)":\[?"(\w+)"/)?.[1] ?? "";
const nameOf = (functionId: string) => {
  const properties = resources[functionId]?.Properties as
    | { Environment: { Variables: { POWERTOOLS_SERVICE_NAME: string } } }
    | undefined;
  return properties?.Environment.Variables.POWERTOOLS_SERVICE_NAME ?? "";
};
const functionOf = (aliasId: string) => referred(resources[aliasId]?.Properties.FunctionName);

test("by default functions are replaced at once, without versions, aliases or CodeDeploy", () => {
  for (const type of [
    "Lambda::Version",
    "Lambda::Alias",
    "CodeDeploy::Application",
    "CodeDeploy::DeploymentGroup",
  ]) {
    byDefault.resourceCountIs(`AWS::${type}`, 0);
  }
});

test("of everything that the default has, the setting changes only how functions are invoked", () => {
  const changed = Object.entries(byDefault.toJSON().Resources as typeof resources)
    .filter(([id, resource]) => !isDeepStrictEqual(resource, resources[id]))
    .map(([id, { Type }]) => (resources[id] === undefined ? `${Type} goes` : Type));
  expect([...new Set(changed)].sort()).toEqual([
    "AWS::ApiGateway::Deployment goes",
    "AWS::ApiGateway::RestApi",
    "AWS::ApiGateway::Stage",
    "AWS::CloudWatch::Alarm",
    "AWS::Lambda::EventSourceMapping",
    "AWS::Lambda::Permission goes",
  ]);
});

test("new code of the functions that every card passes gets a tenth of the invocations for ten minutes", () => {
  const aliases = ofType("AWS::Lambda::Alias");
  expect([...aliases.keys()].map((id) => nameOf(functionOf(id))).sort()).toEqual(rolledOut);
  const [application] = ofType("AWS::CodeDeploy::Application").keys();
  const groups = ofType("AWS::CodeDeploy::DeploymentGroup");
  expect(groups.size).toBe(rolledOut.length);
  for (const [, alias] of aliases) {
    expect(alias.UpdatePolicy).toMatchObject({
      CodeDeployLambdaAliasUpdate: { ApplicationName: { Ref: application } },
    });
    const group = groups.get(referred(alias.UpdatePolicy?.CodeDeployLambdaAliasUpdate.DeploymentGroupName));
    expect(group?.Properties).toMatchObject({
      DeploymentConfigName: "CodeDeployDefault.LambdaCanary10Percent10Minutes",
      DeploymentStyle: { DeploymentOption: "WITH_TRAFFIC_CONTROL", DeploymentType: "BLUE_GREEN" },
    });
  }
});

test("a new version is rolled back by the alarms of the functions and of what it does, and not by those of the union", () => {
  const alarmsByFunction = [...ofType("AWS::Lambda::Alias")].map(([id, { UpdatePolicy }]) => {
    const update = UpdatePolicy?.CodeDeployLambdaAliasUpdate.DeploymentGroupName;
    const group = resources[referred(update)]?.Properties as {
      AlarmConfiguration: { Alarms: { Name: unknown }[]; Enabled: boolean };
      AutoRollbackConfiguration: unknown;
    };
    expect(group.AlarmConfiguration.Enabled).toBe(true);
    expect(group.AutoRollbackConfiguration).toEqual({
      Enabled: true,
      Events: ["DEPLOYMENT_FAILURE", "DEPLOYMENT_STOP_ON_ALARM"],
    });
    const alarms = group.AlarmConfiguration.Alarms.map(({ Name }) => {
      expect(resources[referred(Name)]?.Type).toBe("AWS::CloudWatch::Alarm");
      return referred(Name).replace(/[0-9A-F]{8}$/, "");
    });
    return [nameOf(functionOf(id)), alarms.sort()];
  });
  const ofAll = ["MonitoringFunctionsCrashAlarm", "MonitoringFunctionsThrottledAlarm"];
  expect(Object.fromEntries(alarmsByFunction)).toEqual({
    authorize: ["MonitoringApiFailingAlarm", ...ofAll],
    "submit-scorecards": ["MonitoringApiFailingAlarm", ...ofAll, "SubmissionRefusedAlarm"],
    "deliver-scorecards": [
      "DeliveryDeadLettersAlarm",
      "DeliveryRejectedAlarm",
      ...ofAll,
      "WaitingCardsFastBurnAlarm",
    ],
  });
});

test("nobody invokes one of these functions but by its alias: not the API, not its authorizer, not the queue", () => {
  const aliases = ofType("AWS::Lambda::Alias");
  const behindAliases = new Set([...aliases.keys()].map(functionOf));
  const api = [...ofType("AWS::ApiGateway::RestApi").values()];
  const body = JSON.stringify(api.map(({ Properties }) => Properties.Body));
  for (const id of behindAliases) expect(body).not.toContain(`"Fn::GetAtt":["${id}","Arn"]`);
  const invoking = [
    ...ofType("AWS::Lambda::Permission").values(),
    ...ofType("AWS::Lambda::EventSourceMapping").values(),
  ];
  const targets = invoking.map(({ Properties }) => referred(Properties.FunctionName));
  expect(targets.filter((id) => behindAliases.has(id))).toEqual([]);
  for (const id of aliases.keys()) expect(targets).toContain(id);
  const submit = [...aliases.keys()].find((id) => nameOf(functionOf(id)) === "submit-scorecards");
  expect(body).toContain(`{"Ref":"${submit}"}`);
});

test("the union's address cannot be changed by the parameter, which no published version would take", () => {
  const rules = ({ Rules = {} }: { readonly Rules?: object }) => Object.keys(Rules);
  expect(rules(canary.toJSON())).toContain("UnionBaseAddressInSettings");
  expect(rules(byDefault.toJSON())).not.toContain("UnionBaseAddressInSettings");
});
