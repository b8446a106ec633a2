import * as z from "zod";

const share = z.number().min(0).max(1);

/** What is wrong with the union at present; a healthy one has none of it. Shares are 0 to 1. */
export const faultsSchema = z.strictObject({
  /** Every request is answered 503. */
  outage: z.boolean(),
  /** How long every answer takes; what is posted has been taken before. */
  latencyMilliseconds: z.int().min(0),
  /** Posts answered 500, with nothing taken. */
  failShare: share,
  /** Posts answered 429 with Retry-After, with nothing taken. */
  throttleShare: share,
  /** Cards that are left out of the echo, and not taken. */
  echoLossShare: share,
  /** Posts whose connection is cut after the cards were taken. */
  cutShare: share,
});

/** @see faultsSchema */
export type Faults = z.infer<typeof faultsSchema>;

/** A union without a fault. */
export function healthy(): Faults {
  return {
    outage: false,
    latencyMilliseconds: 0,
    failShare: 0,
    throttleShare: 0,
    echoLossShare: 0,
    cutShare: 0,
  };
}
