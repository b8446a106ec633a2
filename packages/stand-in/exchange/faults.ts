import * as z from "zod";
import { refusalIn2xxSchema } from "./refuse-in-2xx.ts";

const share = z.number().min(0).max(1).default(0);
// A timer of more than 24 days fires at once.
const milliseconds = z.int().min(0).max(9_999_999).default(0);
const externalIds = z.array(z.string()).default(() => []);

/** The union's faults, none of which it has by default. Shares are 0 to 1. */
export const faultsSchema = z.strictObject({
  /** Every request is answered with 503. */
  outage: z.boolean().default(false),
  /** Delay of every response; the cards of a post are accepted before it. */
  latencyMilliseconds: milliseconds,
  /** Posts that are answered with `failStatus`, and none of whose cards is accepted. */
  failShare: share,
  /** 200 is answered with a page in HTML, as by a proxy or a portal that stands in front of the exchange. */
  failStatus: z.union([z.literal(200), z.int().min(400).max(599)]).default(500),
  /** Reads of clubs, courses and members that are answered with 500. */
  readFailShare: share,
  /** Posts that are answered with 429 and Retry-After, and none of whose cards is accepted. */
  throttleShare: share,
  /** Cards that are neither accepted nor echoed. */
  echoLossShare: share,
  /** ExternalIDs of cards that are neither accepted nor echoed. */
  unechoed: externalIds,
  /** Posts whose connection breaks halfway through the response, after the cards were accepted. */
  cutShare: share,
  /** Posts that are answered only after `lateMilliseconds`; their cards are accepted before that. */
  lateShare: share,
  lateMilliseconds: milliseconds,
  /**
   * HTTP statuses by ExternalID. A post with such a card is answered with its status, and none of the post's cards is
   * accepted.
   */
  poison: z.record(z.string(), z.int().min(400).max(599)).default(() => ({})),
  /** By ExternalID: how a 2xx response refuses that card, which is not accepted; other cards of its post are. */
  refuseIn2xx: z.record(z.string(), refusalIn2xxSchema).default(() => ({})),
  /** Responses of posts are encoded in Latin-1; their charset says so, or is left out. */
  latin1: z.enum(["no", "declared", "undeclared"]).default("no"),
  /** A card that was corrected to another player stays in the first player's record, too. */
  keepFirstPlayer: z.boolean().default(false),
  /** ExternalIDs of cards that are accepted and echoed, and never processed. */
  unprocessed: externalIds,
});

/** @see faultsSchema */
export type Faults = z.infer<typeof faultsSchema>;

/** Some of the faults; the union has no other. */
export type FaultCommand = z.input<typeof faultsSchema>;

/** A union without a fault. */
export const healthy = (): Faults => faultsSchema.parse({});

/** Replaces the faults; those that are left out become healthy. */
export function commandFaults(faults: Faults, commanded: FaultCommand): Faults {
  return Object.assign(faults, faultsSchema.parse(commanded));
}
