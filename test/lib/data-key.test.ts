import { describe, expect, test } from "vitest";
import { settings } from "../../lib/settings.ts";
import { stages } from "../../lib/stage-settings.ts";
import { templateOf } from "../synthesized-stack.ts";

interface Statement {
  readonly Sid?: string;
  readonly Action: string | readonly string[];
  readonly Principal: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const templates = {
  test: await templateOf(settings.test),
  production: await templateOf(settings.production),
};

describe.each(stages)("the key of %s", (stage) => {
  const template = templates[stage];
  const [[id, key] = ["", undefined], ...others] = Object.entries(template.findResources("AWS::KMS::Key"));
  const statements: readonly Statement[] = key?.Properties.KeyPolicy.Statement ?? [];
  const account = { Ref: "AWS::AccountId" };

  test("the stage has one key, which rotates every year and has the alias that encrypts vendors' secrets", () => {
    expect(others).toEqual([]);
    expect(key?.Properties.EnableKeyRotation).toBe(true);
    template.hasResourceProperties("AWS::KMS::Alias", {
      AliasName: `alias/scorecards-${stage}`,
      TargetKeyId: { "Fn::GetAtt": [id, "Arn"] },
    });
  });

  test("the key encrypts the alarms' topic", () => {
    template.allResourcesProperties("AWS::SNS::Topic", { KmsMasterKeyId: { "Fn::GetAtt": [id, "Arn"] } });
  });

  test("the key works for every principal of the account, but only through the services that hold data", () => {
    const everybody = statements.filter(({ Principal }) => JSON.stringify(Principal).includes("*"));
    expect(everybody).toHaveLength(1);
    const services = ["dynamodb", "sqs", "secretsmanager", "sns"].map((service) => ({
      "Fn::Join": ["", [`${service}.`, { Ref: "AWS::Region" }, ".amazonaws.com"]],
    }));
    expect(everybody[0]?.Condition).toEqual({
      StringEquals: { "kms:CallerAccount": account, "kms:ViaService": services },
    });
  });

  test("CloudWatch's alarms of this account may use the key for their topic, and no other service may use it", () => {
    const ofServices = statements.filter(({ Principal }) => JSON.stringify(Principal).includes("Service"));
    expect(ofServices).toMatchObject([
      {
        Principal: { Service: "cloudwatch.amazonaws.com" },
        Action: ["kms:Decrypt", "kms:GenerateDataKey"],
        Condition: { StringEquals: { "aws:SourceAccount": account } },
      },
    ]);
  });
});
