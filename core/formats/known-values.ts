import * as z from "zod/mini";

/**
 * Accepts the values that are known today. The OpenAPI document lists them as known but takes others, so that a client
 * generated from it survives one that is added later.
 *
 * @see docs/vendors.md#what-may-change
 */
export function knownValues<const Value extends string | number>(values: readonly Value[]) {
  return z.literal(values).check(z.meta({ "x-extensible-enum": values }));
}
