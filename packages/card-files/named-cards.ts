import { externalIdOf } from "./base/external-id.ts";
import type { FileCard, FileFault } from "./card-fault.ts";

/** A card of a file with the name that it was sent under. */
export interface NamedCard extends FileCard {
  /** Undefined if it has none, or an invalid one. */
  readonly externalId: string | undefined;
}

const notJson: FileFault = {
  code: "not_json",
  detail: "This line is not JSON. Write one scorecard a line.",
};
const repeated = (first: number): FileFault => ({
  code: "duplicate_external_id",
  pointer: "/ExternalID",
  detail: `Number ${first} of this file has the same ExternalID. Give each card its own.`,
  expected: first,
});

/**
 * Names a card of a file, with the fault of one that is not to be sent: its line is not JSON, its row is ragged, or an earlier card has its
 * ExternalID.
 *
 * @param seen numbers of the cards before it by their ExternalIDs; its own is added
 * @param renamed names of sent cards by those of the cards that correct them
 */
export function nameCard(
  read: FileCard,
  seen: Map<string, number>,
  renamed: ReadonlyMap<string, string> = new Map(),
): NamedCard {
  const card = renameCard(read, renamed);
  const externalId = externalIdOf(card.value);
  const first = externalId === undefined ? undefined : seen.get(externalId);
  if (externalId !== undefined && first === undefined) seen.set(externalId, card.number);
  const duplicate = first === undefined ? undefined : repeated(first);
  const fault = card.fault ?? (card.json === undefined ? notJson : duplicate);
  return { ...card, externalId, ...(fault && { fault }) };
}

/** Names the cards of a file as they are read. */
export async function* namedCards(
  cards: AsyncIterable<FileCard> | Iterable<FileCard>,
  seen: Map<string, number> = new Map(),
): AsyncGenerator<NamedCard> {
  for await (const card of cards) yield nameCard(card, seen);
}

function renameCard(card: FileCard, renamed: ReadonlyMap<string, string>): FileCard {
  const name = renamed.get(externalIdOf(card.value) ?? "");
  if (name === undefined) return card;
  const value = { ...(card.value as object), ExternalID: name };
  return { ...card, value, json: JSON.stringify(value) };
}
