import * as z from "zod";
import { mostPayloadBytes } from "./local-function.ts";

/**
 * Events, as JSON text, that hold the records in their order, each event within Lambda's limit of 6 MB.
 *
 * @returns each event with the records in it
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
 * Which records of a batch a function's answer says have failed.
 *
 * No answer, or an empty list, means that none has. An answer of another form, or one that names a record that is
 * not in the batch, means that all have.
 *
 * @param answer JSON text
 * @param ids a queue's message IDs, or a stream's sequence numbers
 * @returns those of the records that have failed
 * @see https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-errorhandling.html
 */
export function failuresOf(answer: string, ids: readonly string[]): readonly string[] {
  const outcome = outcomeSchema.safeParse(JSON.parse(answer));
  if (!outcome.success) return ids;
  const failed = (outcome.data?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
  return failed.every((id) => ids.includes(id)) ? failed : ids;
}
