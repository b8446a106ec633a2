import { Stack, Validations } from "aws-cdk-lib";
import { PolicyStatement, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import type { Key } from "aws-cdk-lib/aws-kms";
import { Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Construct } from "constructs";
import type { StageSettings } from "./settings.ts";

/** The topic that tells the operator what needs attention; CloudWatch's alarms may publish to it. */
export function alarmTopic(scope: Construct, { stage, alarms }: StageSettings, key: Key): Topic {
  const topic = new Topic(scope, "AlarmTopic", {
    displayName: `Scorecards ${stage}`,
    masterKey: key,
    enforceSSL: true,
  });
  topic.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal("cloudwatch.amazonaws.com")],
      actions: ["sns:Publish"],
      resources: [topic.topicArn],
      conditions: { StringEquals: { "aws:SourceAccount": Stack.of(scope).account } },
    }),
  );
  if (alarms.address !== undefined) {
    const subscription = topic.addSubscription(new EmailSubscription(alarms.address));
    Validations.of(subscription).acknowledge({
      id: "Serverless-SNSRedrivePolicy",
      reason:
        "SNS hands a mail over once and learns nothing of it later, so no mail ever reaches a dead-letter queue.",
    });
  }
  return topic;
}
