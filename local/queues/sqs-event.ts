import type { Message, MessageAttributeValue } from "@aws-sdk/client-sqs";
import type { SQSMessageAttribute, SQSRecord } from "aws-lambda";
import * as z from "zod";
import { mostPayloadBytes } from "../functions/local-function.ts";

function attribute(value: MessageAttributeValue): SQSMessageAttribute {
  return {
    dataType: value.DataType as SQSMessageAttribute["dataType"],
    stringListValues: [],
    binaryListValues: [],
    ...(value.StringValue !== undefined && { stringValue: value.StringValue }),
    ...(value.BinaryValue !== undefined && {
      binaryValue: Buffer.from(value.BinaryValue).toString("base64"),
    }),
  };
}

/** A message as a function sees it among the records of its event. */
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

/**
 * Events, as JSON text, that hold the records in their order, each event within Lambda's limit of 6 MB.
 *
 * @returns each event with the records in it
 */
export function eventsOf(records: readonly SQSRecord[]): { event: string; records: SQSRecord[] }[] {
  const envelope = '{"Records":[]}'.length;
  const events: { texts: string[]; records: SQSRecord[]; bytes: number }[] = [];
  for (const record of records) {
    const text = JSON.stringify(record);
    const bytes = Buffer.byteLength(text) + 1;
    let last = events.at(-1);
    if (last === undefined || last.bytes + bytes > mostPayloadBytes) {
      last = { texts: [], records: [], bytes: envelope };
      events.push(last);
    }
    last.texts.push(text);
    last.records.push(record);
    last.bytes += bytes;
  }
  return events.map((event) => ({ event: `{"Records":[${event.texts.join(",")}]}`, records: event.records }));
}

const outcomeSchema = z
  .object({ batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })).nullish() })
  .nullish();

/**
 * Which messages of a batch a function's answer says have failed.
 *
 * No answer, or an empty list, means that none has. An answer of another form, or one that names a message that is
 * not in the batch, means that all have.
 *
 * @param answer JSON text
 * @returns message IDs
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
export function failuresOf(answer: string, messageIds: readonly string[]): readonly string[] {
  const outcome = outcomeSchema.safeParse(JSON.parse(answer));
  if (!outcome.success) return messageIds;
  const failed = (outcome.data?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((id) => messageIds.includes(id)) ? failed : messageIds;
}
