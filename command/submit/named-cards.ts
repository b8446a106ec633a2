import { externalIdOf } from "../../core/golf/references.ts";
import type { FileCard } from "./card-file.ts";
import { shortHash } from "./journal.ts";

/** A fault that is found without the API. */
interface FileFault {
  readonly code: "not_json" | "duplicate_external_id";
  readonly pointer?: string;
  readonly detail: string;
}

/** A card of a file with the name that it was sent under. */
export interface NamedCard extends FileCard {
  /** Undefined if it has none, or an invalid one. */
  readonly externalId: string | undefined;
  readonly fault?: FileFault;
}

const notJson: FileFault = {
  code: "not_json",
  detail: "This line is not JSON. Write one scorecard a line.",
};
const repeated: FileFault = {
  code: "duplicate_external_id",
  pointer: "/ExternalID",
  detail: "An earlier card of this file has the same ExternalID. Give each card its own.",
};

/**
 * Names the cards of a file, with the fault of a line that is not JSON or an ExternalID that an earlier card has.
 *
 * @param seen short hashes of the ExternalIDs read so far; they are added to it
 */
export async function* namedCards(
  cards: AsyncIterable<FileCard>,
  seen: Set<string>,
): AsyncGenerator<NamedCard> {
  for await (const card of cards) {
    const externalId = externalIdOf(card.value);
    const before = seen.size;
    if (externalId !== undefined) seen.add(shortHash(externalId));
    const isRepeated = externalId !== undefined && seen.size === before;
    const fault = card.json === undefined ? notJson : isRepeated ? repeated : undefined;
    yield { ...card, externalId, ...(fault && { fault }) };
  }
}
