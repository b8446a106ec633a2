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

/** Types of resources that hold data, with the properties whose change makes CloudFormation replace the resource. */
const replacedBy: Readonly<Record<string, readonly string[]>> = {
  "AWS::DynamoDB::Table": ["TableName", "KeySchema"],
  "AWS::SQS::Queue": ["QueueName", "FifoQueue"],
  "AWS::SecretsManager::Secret": ["Name"],
  "AWS::KMS::Key": ["KeySpec", "KeyUsage", "MultiRegion"],
};

function tableWith(...keys: readonly string[]): object {
  const KeySchema = keys.map((AttributeName, n) => ({ AttributeName, KeyType: n === 0 ? "HASH" : "RANGE" }));
  return { Type: "AWS::DynamoDB::Table", KeySchema };
}

/** The deployed resources. A change of this table means the loss of the resource's data. */
const deployed: Readonly<Record<string, object>> = {
  DataKey17AFBB84: { Type: "AWS::KMS::Key" },
  ScorecardTable40391E67: tableWith("id"),
  ActivityTable0B58B12C: tableWith("apiSet", "at"),
  MirrorCourseTable78BC806E: tableWith("id"),
  MirrorClubTable39D5901C: tableWith("id"),
  MirrorMirrorSecret0B4843E1: { Type: "AWS::SecretsManager::Secret", Name: "scorecards/{stage}/mirror" },
  AccountsAccountTableEB02FA4B: tableWith("username"),
  AccountsSessionSecret6A4D235E: { Type: "AWS::SecretsManager::Secret" },
  WebhooksWebhookTable47CAED28: tableWith("apiSet", "id"),
  WebhooksWebhookQueue28902C8B: { Type: "AWS::SQS::Queue" },
  WebhooksDeadWebhookQueue1837369D: { Type: "AWS::SQS::Queue" },
  DeliveryDeadLetterQueue7D230F16: { Type: "AWS::SQS::Queue" },
  DeliveryDeliveryQueueC61F3BC7: { Type: "AWS::SQS::Queue" },
  DeliveryPlayerHashSecret994244E2: { Type: "AWS::SecretsManager::Secret" },
};

async function resourcesWith(given: StageSettings): Promise<Record<string, Resource>> {
  const { Resources } = (await templateOf(given)).toJSON() as { Resources: Record<string, Resource> };
  return Object.fromEntries(Object.entries(Resources).filter(([, { Type }]) => Type in replacedBy));
}

/** The resources by the logical IDs of their first generation: an operator who has a table made anew has decided so. */
async function resourcesOf(stage: Stage): Promise<Record<string, Resource>> {
  const found = Object.entries(await resourcesWith(settings[stage]));
  return Object.fromEntries(found.map(([id, one]) => [id.replace(/Generation\d+$/, ""), one]));
}

function identityOf({ Type, Properties }: Resource): Record<string, unknown> {
  const names = replacedBy[Type] ?? [];
  return {
    Type,
    ...Object.fromEntries(names.filter((name) => name in Properties).map((name) => [name, Properties[name]])),
  };
}

const ofStages = { test: await resourcesOf("test"), production: await resourcesOf("production") };

describe.each(stages)("in %s", (stage) => {
  const found = ofStages[stage];
  const resources = Object.entries(found);

  test("no resource that holds data is replaced or removed", () => {
    for (const [id, before] of Object.entries(deployed)) {
      const after = found[id];
      if (after === undefined)
        throw new Error(`replacement: ${id} is no longer in the template under this id`);
      expect(identityOf(after), `replacement of ${id}: CloudFormation would make a new one`).toEqual(
        JSON.parse(JSON.stringify(before).replaceAll("{stage}", stage)),
      );
    }
  });

  test("this test covers every resource that holds data", () => {
    expect(Object.keys(found).sort()).toEqual(Object.keys(deployed).sort());
  });

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

  test("a first deployment that fails can be repeated: no resource is left that has a fixed name or costs money", () => {
    if (stage !== "production") return;
    for (const [id, { Type, DeletionPolicy, Properties }] of resources) {
      // CloudFormation cannot delete a protected table. Left behind, it is empty and does no harm.
      const isProtected = Type === "AWS::DynamoDB::Table";
      expect(DeletionPolicy, id).toBe(isProtected ? "Retain" : "RetainExceptOnCreate");
      if (isProtected) expect(Properties).not.toHaveProperty("TableName");
    }
  });

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

test("the setting tableGeneration makes one table anew, under another logical ID, and keeps all others", async () => {
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
  for (const [name, id] of Object.entries(tables)) {
    const tableGeneration = { ...production.tableGeneration, [name]: 2 };
    const after = await resourcesWith({ ...production, tableGeneration });
    expect(Object.keys(after)).toEqual(before.map((one) => (one === id ? `${id}Generation2` : one)));
  }
});
