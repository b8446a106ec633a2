import { expect, test } from "vitest";
import { settings } from "../../lib/settings.ts";
import { templateOf } from "../synthesized-stack.ts";

interface AlarmProperties {
  readonly MetricName?: string;
  readonly Metrics?: readonly {
    readonly MetricStat?: { readonly Metric: { readonly MetricName: string } };
  }[];
}

const given = { ...settings.test, recordCheck: { ...settings.test.recordCheck, share: 1 } };
const template = await templateOf(given);
const dashboard = JSON.stringify(Object.values(template.findResources("AWS::CloudWatch::Dashboard")));
const alarms = Object.values(template.findResources("AWS::CloudWatch::Alarm")) as {
  readonly Properties: AlarmProperties;
}[];
const rungBy = new Set(
  alarms.flatMap(({ Properties: { MetricName, Metrics = [] } }) => [
    ...(MetricName === undefined ? [] : [MetricName]),
    ...Metrics.flatMap(({ MetricStat }) => MetricStat?.Metric.MetricName ?? []),
  ]),
);

test("alarms watch more than ten metrics", () => {
  expect(rungBy.size).toBeGreaterThan(10);
});

test.each([...rungBy])("the dashboard shows %s, for which an alarm rings", (name) => {
  // A metric, or the search for one with a line for each vendor.
  expect(dashboard).toMatch(new RegExp(String.raw`\\"${name}\\"|MetricName=\W+${name}\b`));
});

test("production's dashboard leaves out the sandbox, which only the stage test has", async () => {
  const production = await templateOf(settings.production);
  expect(dashboard).toContain("SandboxBusy");
  expect(JSON.stringify(production.findResources("AWS::CloudWatch::Dashboard"))).not.toContain("SandboxBusy");
});
