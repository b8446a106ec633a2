import { Validations } from "aws-cdk-lib";
import type { Key } from "aws-cdk-lib/aws-kms";
import { SubscriptionFilter, Topic } from "aws-cdk-lib/aws-sns";
import { EmailSubscription } from "aws-cdk-lib/aws-sns-subscriptions";
import type { Construct } from "constructs";
import type { StageSettings } from "./stage-settings.ts";

/** The topic that mails notices of vendors' endpoints, each to the addresses of its vendor; undefined if there are no addresses. */
export function noticeTopic(
  scope: Construct,
  { stage, endpointMails = [] }: StageSettings,
  key: Key,
): Topic | undefined {
  if (endpointMails.length === 0) return undefined;
  const topic = new Topic(scope, "NoticeTopic", {
    displayName: `Scorecards ${stage}`,
    masterKey: key,
    enforceSSL: true,
  });
  for (const { address, apiSets } of endpointMails) {
    const filterPolicy = apiSets && { apiSet: SubscriptionFilter.stringFilter({ allowlist: [...apiSets] }) };
    const subscription = topic.addSubscription(
      new EmailSubscription(address, { ...(filterPolicy && { filterPolicy }) }),
    );
    Validations.of(subscription).acknowledge({
      id: "Serverless-SNSRedrivePolicy",
      reason:
        "SNS hands a mail over once and learns nothing of it later, so no mail ever reaches a dead-letter queue.",
    });
  }
  return topic;
}
