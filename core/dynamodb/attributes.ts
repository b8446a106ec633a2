import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { Item } from "./batch.ts";

/** A number as DynamoDB carries it. */
export const number = (value: number): AttributeValue => ({ N: String(value) });

/**
 * Until when an item is kept: DynamoDB removes it some time after its `expiresAt`, in whole seconds since 1970.
 *
 * @param at what it is kept from, in milliseconds since 1970, UTC
 * @param days how long; for good where absent
 */
export function expiry(at: number, days: number | undefined): Item {
  return days === undefined ? {} : { expiresAt: number(Math.ceil(at / 1000) + days * 86_400) };
}
