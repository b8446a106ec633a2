/** What a card is known by in an echo. */
export interface EchoedName {
  readonly externalId: string;
  /** The card's own ID, where it has one; asked for only where an echo names no ExternalID. */
  readonly id: () => unknown;
}

/** A field by its name in any case: the union's server minds none. */
function field(element: unknown, name: string): string | undefined {
  if (typeof element !== "object" || element === null) return undefined;
  const found = Object.entries(element).find(([key]) => key.toLowerCase() === name);
  const value: unknown = found?.[1];
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

/** The elements of an echo: an array, one card by itself, or an object around an array. */
function elementsOf(text: string): readonly unknown[] {
  try {
    const echo: unknown = JSON.parse(text);
    if (Array.isArray(echo)) return echo;
    const inside = typeof echo === "object" && echo !== null ? Object.values(echo).filter(Array.isArray) : [];
    return [echo, ...inside.flat()];
  } catch {
    return [];
  }
}

/**
 * Which of the cards that were posted an answer echoes.
 *
 * The exact body of the answer is not shown in the union's document. So a card counts as echoed by its ExternalID, in
 * another case too unless that could be another card of the post; or, where the echo leaves the ExternalID out, by its
 * ID. Order, repetition, further fields and elements that cannot be read do not matter.
 *
 * @returns ExternalIDs as they were posted
 * @see union-api, Scorecard submission
 */
export function echoedCards(text: string, posted: readonly EchoedName[]): ReadonlySet<string> {
  const exact = new Set(posted.map(({ externalId }) => externalId));
  const unique = (keys: readonly (readonly [string, string])[]) => {
    const groups = Map.groupBy(keys, ([key]) => key);
    return new Map(
      [...groups].flatMap(([key, [only, ...others]]) =>
        only && others.length === 0 ? [[key, only[1]]] : [],
      ),
    );
  };
  const byFolded = unique(posted.map(({ externalId }) => [externalId.toLowerCase(), externalId]));
  const ids = () =>
    posted.flatMap(({ externalId, id: idOf }) => {
      const id = idOf();
      return typeof id === "string" ? [[id.toLowerCase(), externalId] as const] : [];
    });
  let byId: ReadonlyMap<string, string> | undefined;
  const named = (id: string | undefined) => {
    byId ??= unique(ids());
    return byId.get(id?.toLowerCase() ?? "");
  };
  const echoed = elementsOf(text).map((element) => {
    const externalId = field(element, "externalid");
    if (externalId === undefined) return named(field(element, "id"));
    return exact.has(externalId) ? externalId : byFolded.get(externalId.toLowerCase());
  });
  return new Set(echoed.filter((externalId) => externalId !== undefined));
}
