import { App } from "aws-cdk-lib";
import { expect, test } from "vitest";
import { checkSettings } from "../../lib/check-settings.ts";
import { PipelineStack } from "../../lib/pipeline-stack.ts";
import { settings } from "../../lib/settings.ts";
import { type StageSettings, stages } from "../../lib/stage-settings.ts";

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
  ["delivery.postSize", { ...settings.test, delivery: { ...settings.test.delivery, postSize: 0 } }],
  [
    "delivery.postTimeoutSeconds",
    { ...settings.test, delivery: { ...settings.test.delivery, postTimeoutSeconds: 18 } },
  ],
  [
    "delivery.timeoutSeconds",
    { ...settings.test, delivery: { ...settings.test.delivery, timeoutSeconds: 12 } },
  ],
  [
    "delivery.visibilityTimeoutSeconds",
    { ...settings.test, delivery: { ...settings.test.delivery, visibilityTimeoutSeconds: 20 } },
  ],
  [
    "delivery.giveUpAfterSeconds",
    { ...settings.test, delivery: { ...settings.test.delivery, giveUpAfterSeconds: 3600 } },
  ],
  [
    "delivery.batchWindowSeconds",
    { ...settings.test, delivery: { ...settings.test.delivery, batchSize: 50 } },
  ],
  [
    "delivery.visibilityTimeoutSeconds",
    { ...settings.test, delivery: { ...settings.test.delivery, visibilityTimeoutSeconds: 3600 } },
  ],
  [
    "delivery.visibilityTimeoutSeconds",
    {
      ...settings.test,
      delivery: { ...settings.test.delivery, batchWindowSeconds: 60, visibilityTimeoutSeconds: 60 },
    },
  ],
  [
    "delivery.giveUpAfterSeconds",
    { ...settings.test, delivery: { ...settings.test.delivery, giveUpAfterSeconds: 20 * 86_400 } },
  ],
  [
    "alarms.oldestCardSeconds",
    {
      ...settings.test,
      alarms: { ...settings.test.alarms, oldestCardSeconds: 7200 },
      delivery: { ...settings.test.delivery, giveUpAfterSeconds: 7200 },
    },
  ],
  [
    "mirror.timeoutSeconds",
    { ...settings.test, mirror: { ...settings.test.mirror, everyMinutes: 5, timeoutSeconds: 600 } },
  ],
  [
    "recordCheck.timeoutSeconds",
    { ...settings.test, recordCheck: { ...settings.test.recordCheck, everyMinutes: 10 } },
  ],
  [
    "recordCheck.firstAfterSeconds",
    { ...settings.test, recordCheck: { ...settings.test.recordCheck, lastAfterSeconds: 3600 } },
  ],
  ["union.records.apiSet", served({ records: { apiSet: "statistik/records", account: "own" } })],
  [
    "recordCheck.share",
    { ...served({ records: undefined }), recordCheck: { ...settings.test.recordCheck, share: 1 } },
  ],
  ["domain.name", { ...settings.test, domain: { name: "https://api.union.example", certificateArn } }],
  ["firewall.requestsInFiveMinutes", { ...settings.test, firewall: { requestsInFiveMinutes: 1 } }],
  [
    "mirror.fullSyncAt.hour",
    { ...settings.test, mirror: { ...settings.test.mirror, fullSyncAt: { hour: 24, minute: 0 } } },
  ],
];

test.each(wrong)("synthesis fails with the name of a wrong %s", (name, given) => {
  const synthesize = () => new PipelineStack(new App(), "pipeline", { settings: given });
  expect(synthesize).toThrow(`Settings of stage test:\n${name}: `);
});
