import { externalIdOf } from "./base/external-id.ts";
import type { FileFault } from "./card-fault.ts";
import type { FileCard } from "./file-card.ts";

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

/** The fault of a card whose player and round an earlier one has. @param rounds numbers of the cards so far, to which it is added */
function repeatedRound({ roundKey, number }: FileCard, rounds: Map<string, number>): FileFault | undefined {
  if (roundKey === undefined) return undefined;
  const first = rounds.get(roundKey);
  if (first === undefined) rounds.set(roundKey, number);
  const detail = `Number ${first} of this file is a card of the same player and round.`;
  return first === undefined
    ? undefined
    : { code: "duplicate_round", pointer: "/Player/UnionID", detail, expected: first };
}

/**
 * Names the cards of a file, with the fault of one that is not to be sent: its line is not JSON, its row is ragged, or an earlier card has its
 * ExternalID.
 *
 * @param seen numbers of the cards read so far by their ExternalIDs; they are added to it
 */
export async function* namedCards(
  cards: AsyncIterable<FileCard>,
  seen: Map<string, number>,
): AsyncGenerator<NamedCard> {
  const rounds = new Map<string, number>();
  for await (const card of cards) {
    const externalId = externalIdOf(card.value);
    const first = externalId === undefined ? undefined : seen.get(externalId);
    if (externalId !== undefined && first === undefined) seen.set(externalId, card.number);
    const duplicate = first === undefined ? repeatedRound(card, rounds) : repeated(first);
    const fault = card.fault ?? (card.json === undefined ? notJson : duplicate);
    yield { ...card, externalId, ...(fault && { fault }) };
  }
}
