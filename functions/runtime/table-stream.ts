import * as z from "zod/mini";
import type { Item } from "../../core/aws/batch.ts";
import { storedCard } from "../../core/cards/delivery/scorecard-table.ts";
import type { StoredCard } from "../../core/cards/life/card.ts";
import { type CardContent, packedContent } from "../../core/cards/life/card-content.ts";

/**
 * An item as a table's stream has it: like the table's own, but binary values are base64. DynamoDB formed it, and what reads it
 * checks it: a schema for each attribute took a twentieth of the time of the functions that follow the stream.
 */
export const streamItem = z.custom<Item>((value) => typeof value === "object" && value !== null);

/**
 * Makes the function that reads the cards of one batch of the stream. A card comes up to three times: as it was accepted, and before
 * and after its delivery. Its content is unpacked and parsed once for all of them.
 */
export function createCardReader(): (item: Item) => StoredCard | undefined {
  const contents = new Map<string, CardContent>();
  return (item) => {
    const card = storedCard(item);
    if (card === undefined) return undefined;
    const base64 = String(item.content?.B ?? "");
    const content = contents.get(base64) ?? packedContent(Buffer.from(base64, "base64"));
    contents.set(base64, content);
    return { ...card, content };
  };
}
