import { App } from "aws-cdk-lib";
import { expect, test } from "vitest";
import { PipelineStack } from "../../lib/pipeline-stack.ts";
import { checkSettings, type StageSettings, settings, stages } from "../../lib/settings.ts";

test.each(stages)("the settings of %s are valid", (stage) => {
  expect(checkSettings(settings[stage])).toBe(settings[stage]);
});

const wrong: [string, StageSettings][] = [
  ["unionBaseAddress", { ...settings.test, unionBaseAddress: "union" }],
  ["exchangePath", { ...settings.test, exchangePath: "/Clubs/" }],
  ["timeZone", { ...settings.test, timeZone: "Denmark/Copenhagen" }],
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
    "mirror.fullSyncAt.hour",
    { ...settings.test, mirror: { ...settings.test.mirror, fullSyncAt: { hour: 24, minute: 0 } } },
  ],
];

test.each(wrong)("synthesis fails with the name of a wrong %s", (name, given) => {
  const synthesize = () => new PipelineStack(new App(), "pipeline", { settings: given });
  expect(synthesize).toThrow(`Settings of stage test:\n${name}: `);
});
