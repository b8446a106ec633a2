import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { awsLimits } from "../../lib/aws-facts.ts";
import { settings } from "../../lib/settings.ts";
import { templateOf } from "../synthesized-stack.ts";

interface Alarm {
  readonly Properties: {
    readonly AlarmDescription: string;
    readonly AlarmActions?: readonly unknown[];
    readonly Metrics?: readonly { readonly MetricStat?: object }[];
  };
}

const given = { ...settings.test, recordCheck: { ...settings.test.recordCheck, share: 1 } };
const template = await templateOf(given);
const alarms = Object.entries(template.findResources("AWS::CloudWatch::Alarm")) as [string, Alarm][];

/** Begins the runbook's last section, of incidents that somebody reports. */
const withoutAlarm = "## Incidents without an alarm";
const [forAlarms = ""] = readFileSync("docs/runbook.md", "utf8").split(withoutAlarm);

/** Sections of the runbook for alarms by their anchor, as Markdown readers make it from a heading. */
const sections = new Map(
  forAlarms
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const [heading = "", ...body] = text.split("\n");
      return [
        heading
          .toLowerCase()
          .replaceAll(/[^a-z0-9 -]/g, "")
          .replaceAll(" ", "-"),
        body.join("\n"),
      ];
    }),
);

const linked = (alarm: Alarm) =>
  alarm.Properties.AlarmDescription.split(`${given.alarms.runbook}#`)[1] ?? "no link";

test.each(alarms)("%s reaches the operator, and links a section of the runbook", (_id, alarm) => {
  expect(alarm.Properties.AlarmActions).toHaveLength(1);
  expect([...sections.keys()]).toContain(linked(alarm));
});

test("twelve alarms at most wake somebody, and the others can wait for the morning", () => {
  const byTopic = Map.groupBy(alarms, ([, { Properties }]) =>
    JSON.stringify(Properties.AlarmActions).replace(/.*"Ref":"(\w+?)[0-9A-F]{8}".*/, "$1"),
  );
  expect([...byTopic.keys()].sort()).toEqual(["AlarmTopic", "MorningTopic"]);
  const woken = (byTopic.get("AlarmTopic") ?? []).map(([id]) => id.replace(/Alarm[0-9A-F]{8}$/, ""));
  expect(woken.sort()).toEqual([
    "DeliveryCredentialsRefused",
    "DeliveryDeadLetters",
    "DeliveryExchangeFailing",
    "DeliveryStopped",
    "DeliveryUnknownAnswers",
    "MonitoringApiFailing",
    "MonitoringFunctionsCrash",
    "MonitoringFunctionsThrottled",
    "SubmissionRefused",
    "UnsentCardsUnsent",
    "WaitingCardsFastBurn",
    "WaitingCardsVendorSilent",
  ]);
});

test("no alarm watches more metrics than CloudWatch takes", () => {
  const metrics = alarms.map(([, { Properties }]) =>
    (Properties.Metrics ?? []).filter((one) => one.MetricStat),
  );
  expect(Math.max(...metrics.map(({ length }) => length))).toBeLessThanOrEqual(awsLimits.alarmMetrics);
});

test.each([...sections])(
  "the runbook's section %s belongs to an alarm, and says what it means, where to look and what to do",
  (anchor, text) => {
    expect(alarms.map(([, alarm]) => linked(alarm))).toContain(anchor);
    for (const part of ["**Means**", "**Look**", "**Do**"]) expect(text).toContain(part);
  },
);

test("the runbook has the right name of a function's log group", () => {
  const functions = Object.values(template.findResources("AWS::Lambda::Function"));
  const groups = template.findResources("AWS::Logs::LogGroup");
  const says = /`\/aws\/lambda\/(\S+)`/g;
  const [pattern, example] = Array.from(forAlarms.matchAll(says), ([, place]) => place);
  expect([pattern, example]).toEqual([
    "{stack}/{function}",
    "scorecard-pipeline-production/deliver-scorecards",
  ]);
  for (const { Properties } of functions) {
    const name = Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME;
    expect(groups[Properties.LoggingConfig.LogGroup.Ref]?.Properties.LogGroupName).toBe(
      `/aws/lambda/scorecard-pipeline-test/${name}`,
    );
  }
});
