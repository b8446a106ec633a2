import type { Message, MessageAttributeValue } from "@aws-sdk/client-sqs";
import type { SQSMessageAttribute, SQSRecord } from "aws-lambda";

function attribute(value: MessageAttributeValue): SQSMessageAttribute {
  return {
    dataType: value.DataType as SQSMessageAttribute["dataType"],
    stringListValues: [],
    binaryListValues: [],
    ...(value.StringValue !== undefined && { stringValue: value.StringValue }),
    // The SDK has bytes, and the embedded engine their Base64.
    ...(value.BinaryValue !== undefined && {
      binaryValue: Buffer.from(value.BinaryValue as unknown as string, "base64").toString("base64"),
    }),
  };
}

/** A message as a record of a function's event. */
export function sqsRecord(message: Message, queueArn: string): SQSRecord {
  const attributes = Object.entries(message.MessageAttributes ?? {});
  return {
    messageId: message.MessageId ?? "",
    receiptHandle: message.ReceiptHandle ?? "",
    body: message.Body ?? "",
    attributes: message.Attributes as unknown as SQSRecord["attributes"],
    messageAttributes: Object.fromEntries(attributes.map(([name, value]) => [name, attribute(value)])),
    md5OfBody: message.MD5OfBody ?? "",
    eventSource: "aws:sqs",
    eventSourceARN: queueArn,
    awsRegion: queueArn.split(":")[3] ?? "",
  };
}
