import { readMessage } from "../../../core/delivery/message.ts";
import type { Item } from "../../../core/store/batch.ts";
import { recordedDeliveries } from "../../../core/store/parcel-items.ts";
import type { FaultyPipeline } from "./faulty-pipeline.ts";

/** When the outcome of each content of a card was recorded in the table for the first time. */
export interface RecordedOutcomes {
  /**
   * @param comment names the content: the card's Comment
   * @returns milliseconds since 1970; undefined where it has no outcome
   */
  at(apiSet: string, externalId: string, comment: string): number | undefined;
}

interface Put {
  readonly PutRequest?: { readonly Item: Item };
}

/** Watches what the queue and the table have taken. */
export function watchOutcomes({ dynamodb, sqs }: FaultyPipeline): RecordedOutcomes {
  const contents = new Map<string, string>();
  const outcomes = new Map<string, number>();
  sqs.done = (operation, passedOn) => {
    if (operation !== "SendMessageBatch") return;
    const { Entries } = JSON.parse(passedOn) as { Entries: readonly { readonly MessageBody: string }[] };
    for (const { MessageBody } of Entries) {
      for (const { apiSet, externalId, revision, card } of readMessage(MessageBody) ?? []) {
        const { Comment } = JSON.parse(card) as { readonly Comment?: string };
        contents.set(JSON.stringify([`${apiSet}#${externalId}`, Comment]), revision);
      }
    }
  };
  dynamodb.done = (operation, passedOn) => {
    if (operation !== "BatchWriteItem") return;
    const { RequestItems } = JSON.parse(passedOn) as { RequestItems: Record<string, readonly Put[]> };
    for (const { PutRequest } of Object.values(RequestItems).flat()) {
      const item = PutRequest?.Item ?? {};
      if (item.item?.S !== "parcel" && item.state?.S !== "delivered" && item.state?.S !== "rejected")
        continue;
      for (const { apiSet, externalId, revision } of recordedDeliveries(item)) {
        const name = JSON.stringify([`${apiSet}#${externalId}`, revision]);
        if (!outcomes.has(name)) outcomes.set(name, Date.now());
      }
    }
  };
  return {
    at(apiSet, externalId, comment) {
      const card = `${apiSet}#${externalId}`;
      return outcomes.get(JSON.stringify([card, contents.get(JSON.stringify([card, comment]))]));
    },
  };
}
