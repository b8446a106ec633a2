import {
  failingStatus,
  isNothing,
  namesFailure,
  namesMessage,
  saysFailure,
  saysSuccess,
} from "./echo-failure.ts";
import { isSameValue, readText } from "./same-value.ts";

/** A card that was posted. */
export interface PostedCard {
  readonly externalId: string;
  readonly card: string;
}

/** What a 2xx response shows of the posted cards, by their ExternalIDs as they were posted. It says nothing of the others. */
export interface Echo {
  /** Cards that are at the exchange. */
  readonly echoed: ReadonlySet<string>;
  /** Cards that are refused with a status of their own, from 400 to 599. */
  readonly refused: ReadonlyMap<string, number>;
}

/** A refusal around an element, with its status if it has one. */
interface Refusal {
  readonly status?: number | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** A posted card with its fields by their names in lower case, because the union's server ignores case. */
interface Candidate {
  readonly externalId: string;
  readonly fields: ReadonlyMap<string, unknown>;
}

/** Deeper nesting than any answer has that names cards; it bounds the recursion. */
const maxDepth = 8;

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const byLowerName = (fields: Fields) =>
  new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value]));

function toCandidate({ externalId, card }: PostedCard): Candidate {
  const fields: unknown = JSON.parse(card);
  return { externalId, fields: isFields(fields) ? byLowerName(fields) : new Map() };
}

/** Reads an identifier; an empty text is none. */
function identifier(value: unknown): string | undefined {
  const text = typeof value === "string" || typeof value === "number" ? readText(String(value)) : "";
  return text === "" ? undefined : text;
}

/** Candidates by keys in lower case, without the keys that several cards share. */
function byUniqueKey(candidates: readonly Candidate[], keyOf: (candidate: Candidate) => string | undefined) {
  const groups = Map.groupBy(candidates, (candidate) => keyOf(candidate)?.toLowerCase());
  return (key: string) => {
    const group = groups.get(key.toLowerCase());
    return group?.length === 1 ? group[0] : undefined;
  };
}

const toId = ({ fields }: Candidate) => identifier(fields.get("id"));

/** Finds the posted card that an element names: by its ID, else by its ExternalID. */
function createLookup(candidates: readonly Candidate[]) {
  const exact = new Map(candidates.map((candidate) => [candidate.externalId, candidate]));
  const byId = byUniqueKey(candidates, toId);
  const byExternalId = byUniqueKey(candidates, ({ externalId }) => readText(externalId));
  const named = (externalId: unknown): Candidate | undefined =>
    exact.get(String(externalId)) ?? byExternalId(identifier(externalId) ?? "");
  return {
    find(element: ReadonlyMap<string, unknown>): Candidate | undefined {
      const id = identifier(element.get("id"));
      const externalId = element.get("externalid");
      const card = id === undefined ? undefined : byId(id);
      return card ?? (identifier(externalId) === undefined ? undefined : named(externalId));
    },
    /** By a text that may be an ID or an ExternalID. */
    findByText: (text: string): Candidate | undefined => byId(readText(text)) ?? named(text),
  };
}

/** What an element says of the card that it names, by its fields. */
function readElement(element: ReadonlyMap<string, unknown>, card: Candidate) {
  const added = [...element].filter(([name]) => !card.fields.has(name));
  if (added.some(([name, value]) => saysFailure(name, value) || (namesFailure(name) && !isNothing(value)))) {
    return "refused";
  }
  const repeated = [...element].filter(([name]) => card.fields.has(name));
  const isSame = repeated.every(([name, value]) => {
    if (name !== "id" && name !== "externalid") return isSameValue(value, card.fields.get(name));
    const sent = name === "id" ? toId(card) : readText(card.externalId);
    return isSameValue(identifier(value)?.toLowerCase(), sent?.toLowerCase());
  });
  if (!isSame) return "other";
  // A message with no more than the card's name is a report on the card, and may say in any words that it was not taken.
  const isReport =
    repeated.every(([name]) => name === "id" || name === "externalid") &&
    added.some(([name, value]) => namesMessage(name) && !isNothing(value));
  return isReport && !added.some(([name, value]) => saysSuccess(name, value)) ? "other" : "repeated";
}

/**
 * Finds the posted cards that a 2xx response shows to be at the exchange.
 *
 * The union's document says that the response echoes the data, and shows no body. So an element counts for a card if it
 *
 * - has the card's ID or, without the ID of a posted card, its ExternalID (in another case too, unless that could be another card);
 * - has the values that were posted in all fields that it repeats; null, left out and added fields do not matter;
 * - has no status of a failure and no errors, and nothing around it has: `Rejected`, `Errors`, a status from 400;
 * - is more than a message with the card's name.
 *
 * Elements may stand in an array, alone, or in objects around them, as in a 207. Order and repetition do not matter, but an
 * element that refuses a card outweighs others. An error that names none of the posted cards speaks of all that stand with it.
 *
 * @see union-api, Scorecard submission
 */
export function readEcho(text: string, posted: readonly PostedCard[]): Echo {
  if (text === `[${posted.map(({ card }) => card).join(",")}]`) {
    return { echoed: new Set(posted.map(({ externalId }) => externalId)), refused: new Map() };
  }
  let response: unknown;
  try {
    response = JSON.parse(text);
  } catch {
    return { echoed: new Set(), refused: new Map() };
  }
  const lookup = createLookup(posted.map(toCandidate));
  const repeated = new Set<string>();
  const refused = new Map<string, number | undefined>();

  /** The card that an object is, or that stands in it. */
  const findNamed = (fields: Fields): Candidate | undefined =>
    [fields, ...Object.values(fields).filter(isFields)]
      .map((inner) => lookup.find(byLowerName(inner)))
      .find((card) => card !== undefined);

  /** The cards that a field of a failure names; undefined if it does not say of which cards it speaks. */
  function findRefused(value: unknown): readonly Candidate[] | undefined {
    const one = isFields(value) ? lookup.find(byLowerName(value)) : undefined;
    if (one !== undefined) return [one];
    const entries: unknown[] = Array.isArray(value) ? value : isFields(value) ? Object.keys(value) : [value];
    const cards = entries.map((entry) => {
      if (isFields(entry)) return findNamed(entry);
      // A number may be a count or a position.
      return typeof entry === "string" ? lookup.findByText(entry) : undefined;
    });
    return cards.every((card) => card !== undefined) ? cards : undefined;
  }

  function readFields(fields: Fields, around: Refusal | undefined, depth: number): void {
    const element = byLowerName(fields);
    const entries = Object.entries(fields);
    const status = entries
      .map(([name, value]) => failingStatus(name, value))
      .find((one) => one !== undefined);
    const card = lookup.find(element);
    if (card !== undefined) {
      const verdict = around === undefined ? readElement(element, card) : "refused";
      const isOwn = card.fields.has("status");
      if (verdict === "refused") refused.set(card.externalId, (isOwn ? undefined : status) ?? around?.status);
      if (verdict === "repeated") repeated.add(card.externalId);
      return;
    }
    // Another card: what stands in it is its own.
    if (identifier(element.get("externalid")) !== undefined) return;
    const failures = entries.filter(([name, value]) => namesFailure(name) && !isNothing(value));
    const refusedHere = failures.map(([, value]) => findRefused(value));
    for (const { externalId } of refusedHere.flatMap((cards) => cards ?? [])) refused.set(externalId, status);
    const isAllRefused =
      around !== undefined ||
      refusedHere.includes(undefined) ||
      entries.some(([name, value]) => saysFailure(name, value));
    const here = isAllRefused ? { status: status ?? around?.status } : undefined;
    for (const [name, value] of entries)
      read(value, here ?? (namesFailure(name) ? {} : undefined), depth + 1);
  }

  function read(value: unknown, around: Refusal | undefined, depth: number): void {
    if (depth > maxDepth) return;
    if (Array.isArray(value)) for (const element of value) read(element, around, depth + 1);
    else if (isFields(value)) readFields(value, around, depth);
  }

  read(response, undefined, 0);
  const withStatus = [...refused].flatMap(([externalId, status]) =>
    status === undefined ? [] : [[externalId, status] as const],
  );
  return {
    echoed: new Set([...repeated].filter((externalId) => !refused.has(externalId))),
    refused: new Map(withStatus),
  };
}
