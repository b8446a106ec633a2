import { App } from "aws-cdk-lib";
import { Template } from "aws-cdk-lib/assertions";
import { DISABLE_ASSET_STAGING_CONTEXT } from "aws-cdk-lib/cx-api";
import { PipelineStack } from "../../lib/pipeline-stack.ts";
import { settings } from "../../lib/settings.ts";
import { type Stage, type StageSettings, stackName } from "../../lib/stage-settings.ts";
import { shareBundles } from "../../local/pipeline/synthesize-stage.ts";
import { everySetting, otherValues } from "./every-setting.ts";
import type { UpdatedTemplate } from "./update-rules.ts";

/** What an operator may switch, by name: each setting that makes resources, all others together, and a union with an account for records. */
const switches: Readonly<Record<string, Partial<StageSettings>>> = {
  ...Object.fromEntries(Object.entries(everySetting).map(([name, value]) => [name, { [name]: value }])),
  monthlyBudgetUsDollars: {
    monthlyBudgetUsDollars: 500,
    alarms: everySetting.alarms ?? settings.test.alarms,
  },
  ownRecords: {
    recordCheck: { ...settings.test.recordCheck, share: 0.1 },
    union: { ...settings.test.union, records: { apiSet: "records", account: "own" } },
  },
  otherValues,
};

export const switchNames: readonly string[] = Object.keys(switches);

/** The switches that are paired with each other one: they change how functions are invoked, and what the API serves. */
export const partners = ["rollout", "allowedOrigins"] as const;

const kept = new Map<string, UpdatedTemplate>();

/** The template of a stage with these switches on, made in memory once. */
export function templateWith(stage: Stage, ...names: readonly string[]): UpdatedTemplate {
  const key = [stage, ...names.toSorted()].join(" ");
  const known = kept.get(key);
  if (known !== undefined) return known;
  shareBundles();
  const app = new App({
    context: { [DISABLE_ASSET_STAGING_CONTEXT]: true },
    analyticsReporting: false,
    treeMetadata: false,
  });
  const before = settings[stage];
  const given: StageSettings = Object.assign({}, before, ...names.map((name) => switches[name]));
  if (names.includes("keepData")) given.keepData = !before.keepData;
  const stack = new PipelineStack(app, stackName(stage), { settings: given, commit: "0a1b2c3" });
  const template = Template.fromStack(stack, { skipCyclicalDependenciesCheck: true }).toJSON();
  kept.set(key, template as UpdatedTemplate);
  return template as UpdatedTemplate;
}
