import {
  type EventBridgeClient,
  PutEventsCommand,
  type PutEventsRequestEntry,
} from "@aws-sdk/client-eventbridge";
import pMap from "p-map";
import { chunks } from "../formats/chunks.ts";

/** The part of EventBridge's client that puts events. */
export type EventBus = Pick<EventBridgeClient, "send">;

/** EventBridge's own limit of one request. */
const entriesLimit = 10;
const parallelRequests = 4;

/**
 * Puts events on EventBridge, ten a request.
 *
 * @returns those that EventBridge refused; all of a request that failed
 */
export async function putEvents<Event>(
  client: EventBus,
  events: readonly Event[],
  entryOf: (event: Event) => PutEventsRequestEntry,
): Promise<Event[]> {
  const refused = await pMap(
    chunks(events, entriesLimit),
    async (batch) => {
      try {
        const answer = await client.send(new PutEventsCommand({ Entries: batch.map(entryOf) }));
        return batch.filter((_, index) => answer.Entries?.[index]?.EventId === undefined);
      } catch {
        return batch;
      }
    },
    { concurrency: parallelRequests },
  );
  return refused.flat();
}
