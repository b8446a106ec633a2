import * as z from "zod/mini";
import type { Item } from "../../core/aws/batch.ts";

/** An item in a stream's JSON: like the table's own, but with binary values as base64. */
type StreamItem = Readonly<Record<string, { readonly B?: string }>>;

/**
 * An item as a table's stream has it. Only the binary values are read: DynamoDB formed the rest, what reads the item checks it, and a
 * schema for each attribute took a twentieth of the time of the functions that follow the stream.
 */
export const itemSchema = z.pipe(
  z.custom<StreamItem>((value) => typeof value === "object" && value !== null),
  z.transform((item) => {
    const attributes = Object.entries(item).map(([name, attribute]) => [
      name,
      attribute.B === undefined ? attribute : { B: Buffer.from(attribute.B, "base64") },
    ]);
    return Object.fromEntries(attributes) as Item;
  }),
);
