import { PublishCommand, type SNSClient } from "@aws-sdk/client-sns";

/** A notice that a topic mails to its subscribers. */
export interface PublishedNotice {
  /** Up to a hundred characters of ASCII. */
  readonly subject: string;
  readonly text: string;
  /** What subscriptions choose notices by. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** Publishes a notice on a topic of SNS. @throws an error of SNS */
export async function publishNotice(
  client: Pick<SNSClient, "send">,
  topicArn: string,
  { subject, text, attributes }: PublishedNotice,
): Promise<void> {
  await client.send(
    new PublishCommand({
      TopicArn: topicArn,
      Subject: subject,
      Message: text,
      MessageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([name, value]) => [name, { DataType: "String", StringValue: value }]),
      ),
    }),
  );
}
