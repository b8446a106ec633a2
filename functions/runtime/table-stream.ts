import * as z from "zod/mini";
import type { Item } from "../../core/aws/batch.ts";

/** An attribute; streams have binary values as base64. */
const attributeSchema = z.pipe(
  z.looseObject({ B: z.optional(z.base64()) }),
  z.transform(
    (value) => (value.B === undefined ? value : { B: Buffer.from(value.B, "base64") }) as Item[string],
  ),
);

/** An item as a table's stream has it. */
export const itemSchema = z.record(z.string(), attributeSchema);
