import { describe, expect, test } from "vitest";
import { settings } from "../../lib/settings.ts";
import { type Stage, type StageSettings, stages } from "../../lib/stage-settings.ts";
import { templateOf } from "../synthesized-stack.ts";

interface Resource {
  readonly Type: string;
  readonly Properties: Readonly<Record<string, unknown>>;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

/** Types of resources that hold data. That no update replaces one is in releases.test.ts. */
const holdData = ["AWS::DynamoDB::Table", "AWS::SQS::Queue", "AWS::SecretsManager::Secret", "AWS::KMS::Key"];

async function resourcesWith(given: StageSettings): Promise<Record<string, Resource>> {
  const { Resources } = (await templateOf(given)).toJSON() as { Resources: Record<string, Resource> };
  return Object.fromEntries(Object.entries(Resources).filter(([, { Type }]) => holdData.includes(Type)));
}

/** The resources by the logical IDs of their first generation: an operator who has a table made anew has decided so. */
async function resourcesOf(stage: Stage): Promise<Record<string, Resource>> {
  const found = Object.entries(await resourcesWith(settings[stage]));
  return Object.fromEntries(found.map(([id, one]) => [id.replace(/Generation\d+$/, ""), one]));
}

const ofStages = { test: await resourcesOf("test"), production: await resourcesOf("production") };

describe.each(stages)("in %s", (stage) => {
  const found = ofStages[stage];
  const resources = Object.entries(found);

  test.each(resources)(
    `%s ${stage === "production" ? "outlives" : "is deleted with"} the stack`,
    (_id, resource) => {
      const policy = stage === "production" ? "Retain" : "Delete";
      expect([resource.DeletionPolicy?.replace("ExceptOnCreate", ""), resource.UpdateReplacePolicy]).toEqual([
        policy,
        policy,
      ]);
      if (resource.Type === "AWS::DynamoDB::Table" && stage === "production")
        expect(resource.Properties.DeletionProtectionEnabled).toBe(true);
    },
  );

  test("messages are kept for two weeks, and cards until they expire", () => {
    for (const { Type, Properties } of Object.values(found)) {
      if (Type === "AWS::SQS::Queue") expect(Properties.MessageRetentionPeriod).toBe(1_209_600);
    }
    const cards = resources.find(([id]) => id.startsWith("ScorecardTable"))?.[1];
    expect(cards?.Properties.TimeToLiveSpecification).toEqual({ AttributeName: "expiresAt", Enabled: true });
  });

  test("resources with players' data or credentials are encrypted with the stage's key", () => {
    const key = Object.keys(found).find((id) => found[id]?.Type === "AWS::KMS::Key");
    const keyOf = ({ Properties }: Resource) =>
      (Properties.SSESpecification as { KMSMasterKeyId?: unknown } | undefined)?.KMSMasterKeyId ??
      Properties.KmsMasterKeyId ??
      Properties.KmsKeyId;
    const encrypted = resources.filter(([, one]) => keyOf(one) !== undefined);
    for (const [, one] of encrypted) expect(keyOf(one)).toEqual({ "Fn::GetAtt": [key, "Arn"] });
    expect(encrypted.map(([id]) => id.replace(/[0-9A-F]{8}$/, "")).sort()).toEqual([
      "AccountsAccountTable",
      "AccountsSessionSecret",
      "ActivityTable",
      "DeliveryDeadLetterQueue",
      "DeliveryDeliveryQueue",
      "DeliveryPlayerHashSecret",
      "MirrorMirrorSecret",
      "ScorecardTable",
      "WebhooksDeadWebhookQueue",
      "WebhooksWebhookQueue",
      "WebhooksWebhookTable",
    ]);
  });
});

test("the setting tableGeneration makes a table anew, under another logical ID, and keeps all others", async () => {
  const { production } = settings;
  const before = Object.keys(await resourcesWith(production));
  const tables = {
    cards: "ScorecardTable40391E67",
    activity: "ActivityTable0B58B12C",
    accounts: "AccountsAccountTableEB02FA4B",
    webhooks: "WebhooksWebhookTable47CAED28",
    courses: "MirrorCourseTable78BC806E",
    clubs: "MirrorClubTable39D5901C",
  };
  // No two tables are made anew in the same of these.
  for (const bit of [1, 2, 4]) {
    const anew = Object.entries(tables).filter((_, place) => ((place + 1) & bit) > 0);
    const tableGeneration = Object.fromEntries(anew.map(([name]) => [name, 2]));
    const after = await resourcesWith({ ...production, tableGeneration });
    const ids = anew.map(([, id]) => id);
    expect(Object.keys(after)).toEqual(before.map((one) => (ids.includes(one) ? `${one}Generation2` : one)));
  }
});
