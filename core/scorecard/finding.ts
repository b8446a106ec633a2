import type { FaultCode, WarningCode } from "./fault-codes.ts";

/** A fault or a warning of one card, with what its sender needs to act on it. */
export interface Finding {
  /** Place of the card in the submission, from 0. */
  readonly index: number;
  /** The card's ExternalID, where it has one that can be read. */
  readonly externalId?: string;
  /** Where in the card, as a JSON pointer; empty for the whole card. @see RFC 6901 */
  readonly pointer: string;
  readonly code: FaultCode | WarningCode;
  /** What is wrong and what to change, for the vendor's developer. Never holds data of a person. */
  readonly detail: string;
  /** What would have been right, where there is such a value. */
  readonly expected?: unknown;
  /** What was sent, where it is short and no data of a person. */
  readonly received?: unknown;
}
