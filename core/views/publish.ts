import { type EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import pMap from "p-map";
import { chunks } from "../formats/chunks.ts";
import { detailTypeOf, type OutcomeEvent, outcomeSource } from "./outcome-event.ts";

/** EventBridge's own limit of one request. */
const entriesLimit = 10;
const parallelRequests = 4;

/** Puts outcomes on a bus, ten a request. @returns those that EventBridge refused; all of a request that failed */
export async function publishOutcomes(
  client: Pick<EventBridgeClient, "send">,
  bus: string,
  outcomes: readonly OutcomeEvent[],
): Promise<OutcomeEvent[]> {
  const toEntry = (event: OutcomeEvent) => ({
    EventBusName: bus,
    Source: outcomeSource,
    DetailType: detailTypeOf(event),
    Detail: JSON.stringify(event),
    Time: new Date(event.at),
  });
  const put = async (batch: readonly OutcomeEvent[]) => {
    try {
      const { Entries = [] } = await client.send(new PutEventsCommand({ Entries: batch.map(toEntry) }));
      return batch.filter((_, index) => Entries[index]?.EventId === undefined);
    } catch {
      return batch;
    }
  };
  return (await pMap(chunks(outcomes, entriesLimit), put, { concurrency: parallelRequests })).flat();
}
