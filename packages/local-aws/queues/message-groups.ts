import type { buildApp } from "fauxqs";

/** Name of the message attribute that carries the group through the engine. */
const carrier = "local.MessageGroupId";

interface Sent {
  MessageGroupId?: string;
  MessageAttributes?: Record<string, unknown>;
}

interface Received {
  Attributes?: Record<string, string>;
  MessageAttributes?: Record<string, { StringValue?: string }>;
}

interface Requested {
  Entries?: Sent[];
  MessageAttributeNames?: string[];
  MessageSystemAttributeNames?: string[];
  AttributeNames?: string[];
}

function carry(message: Sent): void {
  if (message.MessageGroupId === undefined) return;
  const carried = { DataType: "String", StringValue: message.MessageGroupId };
  message.MessageAttributes = { ...message.MessageAttributes, [carrier]: carried };
}

function restore(message: Received, groupWanted: boolean, attributesWanted: boolean): Received {
  const { [carrier]: group, ...others } = message.MessageAttributes ?? {};
  const { MessageAttributes: _, ...rest } = message;
  return {
    ...rest,
    ...(attributesWanted && Object.keys(others).length > 0 ? { MessageAttributes: others } : {}),
    ...(groupWanted && group?.StringValue !== undefined
      ? { Attributes: { ...message.Attributes, MessageGroupId: group.StringValue } }
      : {}),
  };
}

/**
 * Makes the embedded engine keep the MessageGroupId of messages in standard queues, as SQS does for fair queues.
 *
 * The engine drops the group, so it is stored as a message attribute and moved back when the message is received. The
 * engine also returns message attributes that were not requested; they are removed, as SQS does not return them.
 */
export function keepMessageGroups(app: ReturnType<typeof buildApp>): void {
  app.addHook("preHandler", (request, _reply, done) => {
    const target = String(request.headers["x-amz-target"]);
    const body = request.body as Requested & Sent;
    if (target === "AmazonSQS.SendMessage") carry(body);
    if (target === "AmazonSQS.SendMessageBatch") body.Entries?.forEach(carry);
    if (target === "AmazonSQS.ReceiveMessage" && body.MessageAttributeNames?.length) {
      body.MessageAttributeNames.push(carrier);
    }
    done();
  });
  app.addHook("preSerialization", (request, _reply, payload, done) => {
    const received = payload as { Messages?: Received[] } | null;
    if (request.headers["x-amz-target"] !== "AmazonSQS.ReceiveMessage" || !received?.Messages) {
      done(null, payload);
      return;
    }
    const body = request.body as Requested;
    const systemNames = [...(body.MessageSystemAttributeNames ?? []), ...(body.AttributeNames ?? [])];
    const groupWanted = systemNames.some((name) => name === "All" || name === "MessageGroupId");
    const attributesWanted = (body.MessageAttributeNames?.length ?? 0) > 0;
    const messages = received.Messages.map((message) => restore(message, groupWanted, attributesWanted));
    done(null, { ...received, Messages: messages });
  });
}
