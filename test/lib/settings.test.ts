import { App } from "aws-cdk-lib";
import { expect, test } from "vitest";
import { postTiming, probe, recordingReserve } from "../../core/cards/delivery/timing.ts";
import { awsLimits } from "../../lib/aws-facts.ts";
import { checkSettings } from "../../lib/check-settings.ts";
import { PipelineStack } from "../../lib/pipeline-stack.ts";
import { settings } from "../../lib/settings.ts";
import { type StageSettings, stages } from "../../lib/stage-settings.ts";
import { deployedTiming, giveUpAfterSeconds } from "../../lib/stage-timing.ts";
import { hurried } from "../hurried-settings.ts";

test.each([deployedTiming, hurried.timing])(
  "the times of a stage keep what delivery relies on: %o",
  (timing) => {
    const { post, deliveryRun, redelivery, oldestCard } = timing;
    const seconds = 1000;
    expect(deliveryRun * seconds).toBeGreaterThan(post * seconds + recordingReserve);
    // A message must not come back while it is being delivered, and is received three times in the hour before it is a dead letter.
    expect(redelivery).toBeGreaterThanOrEqual(deliveryRun);
    expect(redelivery).toBeLessThanOrEqual(1200);
    expect(postTiming(post).readToPostEnd + recordingReserve).toBeLessThan(29_000);
    expect(giveUpAfterSeconds * seconds).toBeGreaterThan(probe.maxRetryAfter);
    expect(giveUpAfterSeconds).toBeLessThan(awsLimits.messageRetentionDays * 86_400);
    expect(oldestCard).toBeLessThan(giveUpAfterSeconds);
  },
);

test.each(stages)("the settings of %s are valid", (stage) => {
  expect(checkSettings(settings[stage])).toBe(settings[stage]);
});

const certificateArn = "arn:aws:acm:eu-north-1:123456789012:certificate/1";

const served = (changes: Partial<StageSettings["union"]>): StageSettings => ({
  ...settings.test,
  union: { ...settings.test.union, ...changes },
});

const wrong: [string, StageSettings][] = [
  ["union.baseAddress", served({ baseAddress: "union" })],
  ["union.exchangePath", served({ exchangePath: "/Clubs/" })],
  ["union.timeZone", served({ timeZone: "Denmark/Copenhagen" })],
  ["union.country", served({ country: "Denmark" })],
  ["union.records.apiSet", served({ records: { apiSet: "statistik/records", account: "own" } })],
  [
    "recordCheck.share",
    { ...served({ records: undefined }), recordCheck: { ...settings.test.recordCheck, share: 1 } },
  ],
  ["domain.name", { ...settings.test, domain: { name: "https://api.union.example", certificateArn } }],
  ["firewall.requestsInFiveMinutes", { ...settings.test, firewall: { requestsInFiveMinutes: 1 } }],
  [
    "alarms.unsentAt.hour",
    { ...settings.test, alarms: { ...settings.test.alarms, unsentAt: { hour: 24, minute: 0 } } },
  ],
  ["monthlyBudgetUsDollars", { ...settings.test, monthlyBudgetUsDollars: 100 }],
];

test.each(wrong)("synthesis fails with the name of a wrong %s", (name, given) => {
  const synthesize = () => new PipelineStack(new App(), "pipeline", { settings: given });
  expect(synthesize).toThrow(`Settings of stage test:\n${name}: `);
});
