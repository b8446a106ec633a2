import { expect, test } from "vitest";
import {
  type LastingResource,
  lastingResources,
  type TemplateResource,
} from "../../lib/releases/lasting-resources.ts";
import { settings } from "../../lib/settings.ts";
import type { StageSettings } from "../../lib/stage-settings.ts";
import { templateOf } from "../synthesized-stack.ts";
import { everySetting } from "./every-setting.ts";

type Resources = Readonly<Record<string, TemplateResource & { readonly DeletionPolicy?: string }>>;

/** The union's records are read with an account of the pipeline's own: that has a secret, too. */
const records = { apiSet: "records", account: "own" } as const;
const { domain: _, ...switched } = everySetting;
const resourcesWith = async (given: Partial<StageSettings>): Promise<Resources> =>
  (await templateOf({ ...settings.production, keepData: true, ...given })).toJSON().Resources;

const off = await resourcesWith({});
const on = await resourcesWith({ ...switched, union: { ...settings.production.union, records } });

/** Properties with which a template gives a resource its name, so that there can be one of it only. */
const fixedName =
  /^(Name|LogGroupName|EventBusName|QueueName|TableName|TopicName|SecretName|FunctionName|RoleName|AliasName)$/;
const isNamed = ({ Properties = {} }: TemplateResource) =>
  Object.keys(Properties).some((name) => fixedName.test(name));

test("what a setting makes under a fixed name goes with it, so the setting can be turned on again", () => {
  const optional = Object.entries(on).filter(([id]) => !(id in off));
  expect(optional.filter(([, resource]) => isNamed(resource)).length).toBeGreaterThan(3);
  const inTheWay = optional.filter(
    ([, resource]) => isNamed(resource) && resource.DeletionPolicy?.startsWith("Retain"),
  );
  expect(inTheWay.map(([id]) => id)).toEqual([]);
});

test("no setting replaces what holds data, credentials or an address, on or off", () => {
  const [before, after] = [lastingResources(off), lastingResources(on)];
  const both = (one: Readonly<Record<string, LastingResource>>, other: object) =>
    Object.fromEntries(Object.entries(one).filter(([id]) => id in other));
  expect(both(after, before)).toEqual(both(before, after));
  expect(Object.keys(before).filter((id) => !(id in after))).toEqual([]);
});
