import { type EventBus, putEvents } from "../aws/put-events.ts";
import { detailTypeOf, type OutcomeEvent, outcomeSource } from "./outcome-event.ts";

/** Puts outcomes on a bus. @returns those that EventBridge refused */
export const publishOutcomes = (
  client: EventBus,
  bus: string,
  outcomes: readonly OutcomeEvent[],
): Promise<OutcomeEvent[]> =>
  putEvents(client, outcomes, (event) => ({
    EventBusName: bus,
    Source: outcomeSource,
    DetailType: detailTypeOf(event),
    Detail: JSON.stringify(event),
    Time: new Date(event.at),
  }));
