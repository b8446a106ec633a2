/** The identifiers of a posted card. */
export interface EchoedName {
  readonly externalId: string;
  /** The card's own ID, if it has one; read only if an echo has no ExternalID. */
  readonly id: () => unknown;
}

/** A field by its name in any case, since the union's server ignores case. */
function field(element: unknown, name: string): string | undefined {
  if (typeof element !== "object" || element === null) return undefined;
  const value: unknown = Object.entries(element).find(([key]) => key.toLowerCase() === name)?.[1];
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

/** ExternalIDs by keys in lower case, without the keys that several cards share. */
function byUniqueKey(keys: readonly (readonly [key: string, externalId: string])[]) {
  const groups = Map.groupBy(keys, ([key]) => key.toLowerCase());
  const unique = [...groups].filter(([, { length }]) => length === 1);
  return new Map(unique.map(([key, [only]]) => [key, only?.[1]]));
}

/**
 * Which of the posted cards a response echoes.
 *
 * The union's document does not show the exact body. So a card counts as echoed by its ExternalID, in another case too unless
 * that could be another card of the post; or by its ID if the echo has no ExternalID. Order, repetition, further fields and
 * unreadable elements do not matter.
 *
 * @returns ExternalIDs as they were posted
 * @see union-api, Scorecard submission
 */
export function echoedCards(text: string, posted: readonly EchoedName[]): ReadonlySet<string> {
  const exact = new Set(posted.map(({ externalId }) => externalId));
  const byExternalId = byUniqueKey(posted.map(({ externalId }) => [externalId, externalId]));
  let byId: ReturnType<typeof byUniqueKey> | undefined;
  const withId = (id: string | undefined) => {
    byId ??= byUniqueKey(
      posted.flatMap(({ externalId, id }) => {
        const own = id();
        return typeof own === "string" ? [[own, externalId] as const] : [];
      }),
    );
    return byId.get(id?.toLowerCase() ?? "");
  };
  const echoed = elementsOf(text).map((element) => {
    const externalId = field(element, "externalid");
    if (externalId === undefined) return withId(field(element, "id"));
    return exact.has(externalId) ? externalId : byExternalId.get(externalId.toLowerCase());
  });
  return new Set(echoed.filter((externalId) => externalId !== undefined));
}
