import { randomUUID } from "node:crypto";
import type { LoopbackServer } from "./base/loopback-server.ts";
import { startQueryService } from "./query-service.ts";

/** The attributes of a message, which the query protocol numbers. */
function readAttributes(fields: URLSearchParams): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (let number = 1; ; number++) {
    const entry = `MessageAttributes.entry.${number}`;
    const name = fields.get(`${entry}.Name`);
    if (name === null) return attributes;
    attributes[name] = fields.get(`${entry}.Value.StringValue`) ?? "";
  }
}

/**
 * Starts SNS on 127.0.0.1, as far as functions use it: Publish. Nobody is subscribed, so each message is only logged.
 *
 * @param log called with one line of JSON for each message
 */
export const startSns = (log: (text: string) => void): Promise<LoopbackServer> =>
  startQueryService("http://sns.amazonaws.com/doc/2010-03-31/", {
    Publish(fields) {
      const [topic, subject, message] = ["TopicArn", "Subject", "Message"].map((name) => fields.get(name));
      log(JSON.stringify({ topic, subject, message, attributes: readAttributes(fields) }));
      return `<MessageId>${randomUUID()}</MessageId>`;
    },
  });
