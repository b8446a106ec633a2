import * as z from "zod";

const share = z.number().min(0).max(1);

/** What is wrong with the union at present; a healthy one has none of it. Shares are 0 to 1. */
const faultsSchema = z.strictObject({
  /** Every request is answered 503. */
  outage: z.boolean(),
  /** How long every answer takes; the cards of a post are taken before that. */
  latencyMilliseconds: z.int().min(0),
  /** How long the body of an answer takes after its headers; it comes in pieces. */
  bodyMilliseconds: z.int().min(0),
  /** Posts answered 500, with nothing taken. */
  failShare: share,
  /** Look-ups of clubs, courses and members answered 500. */
  readFailShare: share,
  /** Posts answered 429 with Retry-After, with nothing taken. */
  throttleShare: share,
  /** Cards that are left out of the echo, and not taken. */
  echoLossShare: share,
  /** Posts whose connection is cut halfway through the answer, after the cards were taken. */
  cutShare: share,
  /** Posts answered only after `lateMilliseconds`; their cards are taken before that. */
  lateShare: share,
  lateMilliseconds: z.int().min(0),
  /** A status by ExternalID: every post with that card is answered with it, and none of the post's cards is taken. */
  poison: z.record(z.string(), z.int().min(400).max(599)),
});

/** @see faultsSchema */
export type Faults = z.infer<typeof faultsSchema>;

/** Some of the faults, as a command names them. */
export const faultCommandSchema = faultsSchema.partial();

/** @see faultCommandSchema */
export type FaultCommand = z.infer<typeof faultCommandSchema>;

/** A union without a fault. */
export function healthy(): Faults {
  return {
    outage: false,
    latencyMilliseconds: 0,
    bodyMilliseconds: 0,
    failShare: 0,
    readFailShare: 0,
    throttleShare: 0,
    echoLossShare: 0,
    cutShare: 0,
    lateShare: 0,
    lateMilliseconds: 0,
    poison: {},
  };
}

/** Sets the faults to those commanded; what is left out is healthy again. */
export function commandFaults(faults: Faults, commanded: FaultCommand): Faults {
  return Object.assign(faults, healthy(), commanded);
}
