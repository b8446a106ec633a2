import * as z from "zod/mini";
import { isRestore } from "../../core/aws/restored-item.ts";
import { storedBreaker } from "../../core/cards/delivery/scorecard-table.ts";
import { type CardHappening, happenings } from "../../core/cards/life/happened.ts";
import type { BreakerUpdate } from "../../core/webhooks/event.ts";
import { createCardReader, streamItem } from "../runtime/table-stream.ts";

/** A batch of the stream of the table of scorecards. */
export const tableChangesSchema = z.object({
  /** Lambda sets it only for an event source with tumbling windows. */
  shardId: z.string(),
  /** What the run before returned in the same window. */
  state: z.optional(z.record(z.string(), z.unknown())),
  isFinalInvokeForWindow: z._default(z.boolean(), false),
  Records: z.array(
    z.object({
      dynamodb: z.object({
        SequenceNumber: z.string(),
        NewImage: streamItem,
        OldImage: z.optional(streamItem),
      }),
    }),
  ),
});

type TableChange = z.infer<typeof tableChangesSchema>["Records"][number];

/** The changes of cards among those of the table; a restore from a backup is none. */
export function cardUpdates(changes: readonly TableChange[]): CardHappening[] {
  const storedCard = createCardReader();
  const updates = changes.flatMap(({ dynamodb: { NewImage, OldImage, SequenceNumber: sequenceNumber } }) => {
    const card = isRestore(NewImage, OldImage) ? undefined : storedCard(NewImage);
    return card === undefined ? [] : [{ card, before: OldImage && storedCard(OldImage), sequenceNumber }];
  });
  return happenings(updates);
}

/** The circuit breakers that changed, and whether they were open before; not those that were restored from a backup. */
export function breakerUpdates(changes: readonly TableChange[]): BreakerUpdate[] {
  return changes.flatMap(({ dynamodb: { NewImage, OldImage, SequenceNumber: sequenceNumber } }) => {
    const stored = isRestore(NewImage, OldImage) ? undefined : storedBreaker(NewImage);
    const { open, apiSet } = stored ?? {};
    if (apiSet === undefined) return [];
    return [{ apiSet, sequenceNumber, open, before: OldImage && storedBreaker(OldImage)?.open }];
  });
}
