import * as z from "zod";
import { maxPayloadBytes } from "./local-function.ts";

/**
 * Puts records into as few events as possible, in order, each within Lambda's limit of 6 MB.
 *
 * @returns each event as JSON text, with the records in it
 */
export function eventsOf<EventRecord>(
  records: readonly EventRecord[],
): { event: string; records: EventRecord[] }[] {
  const envelope = '{"Records":[]}'.length;
  const events: { texts: string[]; records: EventRecord[]; bytes: number }[] = [];
  for (const record of records) {
    const text = JSON.stringify(record);
    const bytes = Buffer.byteLength(text) + 1;
    let last = events.at(-1);
    if (last === undefined || last.bytes + bytes > maxPayloadBytes) {
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
 * Ids of the records that have failed, according to a function's answer to a batch.
 *
 * A null answer or an empty list means that none has. An answer of another form, or one that names a record outside the
 * batch, means that all have.
 *
 * @param answer JSON text
 * @param ids a queue's message IDs, or a stream's sequence numbers
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
export function failuresOf(answer: string, ids: readonly string[]): readonly string[] {
  const outcome = outcomeSchema.safeParse(JSON.parse(answer));
  if (!outcome.success) return ids;
  const failed = (outcome.data?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((id) => ids.includes(id)) ? failed : ids;
}
