import { type EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import pMap from "p-map";
import { chunks } from "../formats/chunks.ts";
import { detailTypeOf, type OutcomeEvent, outcomeSource } from "./outcome-event.ts";

/** EventBridge's own limit of one request. */
const entriesLimit = 10;
const parallelRequests = 4;

/** Puts outcomes on a bus, ten a request. @returns those that EventBridge refused */
export async function publishOutcomes<Published extends { readonly event: OutcomeEvent }>(
  client: Pick<EventBridgeClient, "send">,
  bus: string,
  outcomes: readonly Published[],
): Promise<Published[]> {
  const refused = await pMap(
    chunks(outcomes, entriesLimit),
    async (batch) => {
      const Entries = batch.map(({ event }) => ({
        EventBusName: bus,
        Source: outcomeSource,
        DetailType: detailTypeOf(event),
        Detail: JSON.stringify(event),
        Time: new Date(event.at),
      }));
      try {
        const answer = await client.send(new PutEventsCommand({ Entries }));
        return batch.filter((_, index) => answer.Entries?.[index]?.EventId === undefined);
      } catch {
        return batch;
      }
    },
    { concurrency: parallelRequests },
  );
  return refused.flat();
}
