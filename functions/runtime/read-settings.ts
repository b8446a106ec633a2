import * as z from "zod/mini";

/**
 * Reads a function's settings from its environment variables.
 *
 * @param shape a schema for each variable; numbers are coerced, since variables are text
 * @throws Error with the names of the variables that are missing or not valid, without their values
 * @example const settings = readSettings({ CARD_TABLE: z.string(), POST_SIZE: z.coerce.number() });
 */
export function readSettings<const Shape extends z.core.$ZodShape>(shape: Shape) {
  // Without zod's generated code, which pays off only for a schema that is used more than once.
  const read = z.object(shape).safeParse(process.env, { jitless: true });
  if (read.success) return read.data;
  const names = new Set(read.error.issues.map(({ path }) => String(path[0])));
  throw new Error(
    `Environment variables are missing or not valid: ${[...names].join(", ")}. Deploy the stack again, which sets them.`,
  );
}

/** The schema of a setting that is JSON. */
export function jsonOf<Schema extends z.ZodMiniType>(schema: Schema) {
  const parsed = z.transform((text: string): unknown => JSON.parse(text));
  return z.pipe(z.pipe(z.string(), parsed), schema);
}
