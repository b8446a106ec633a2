import type { Item } from "./batch.ts";

/**
 * Attribute with the ID of the restore that wrote an item. Later changes leave it as it is, so only the change that sets it to another
 * value is the restore's own.
 */
export const restoredBy = "restoredBy";

/**
 * Whether a change of a table wrote an item from a backup. What happened to such an item has been counted, listed and told before.
 *
 * @param before the item before the change, if any
 */
export function isRestore(item: Item, before: Item | undefined): boolean {
  const restore = item[restoredBy]?.S;
  return restore !== undefined && before?.[restoredBy]?.S !== restore;
}
