/** A view of the portal, with what it shows. */
export type PortalRoute =
  | { readonly view: "overview"; readonly range: Range }
  | { readonly view: "cards"; readonly filter: CardFilter }
  | { readonly view: "card"; readonly externalId: string }
  | { readonly view: "refusals"; readonly days: RefusalDays; readonly code?: string }
  | { readonly view: "webhooks" }
  | { readonly view: "api" }
  | { readonly view: "operator" }
  /** The address names no view. */
  | { readonly view: "nowhere" };

/** How far back the overview goes. */
export type Range = (typeof ranges)[number];
export const ranges = ["24h", "7d", "30d"] as const;

/** How many days of refusals are shown. */
export type RefusalDays = (typeof refusalDays)[number];
export const refusalDays = [1, 2, 7, 30] as const;

/** Cards of a day, or those that need attention; `state` and `code` choose among them. */
export interface CardFilter {
  /** `2026-07-04`; absent for today. */
  readonly day?: string;
  /** The first of several days that end with `day`; absent for that day alone. */
  readonly from?: string;
  readonly state?: string;
  /** Code of a warning. */
  readonly code?: string;
  /** Part of an ExternalID, in upper or lower case. */
  readonly name?: string;
}

const isIn = <Value>(values: readonly Value[], value: unknown): value is Value =>
  values.includes(value as Value);

/**
 * The view that an address names; the overview if it is empty.
 *
 * @param hash the address from `#` on, e.g. `#/cards/card-417`. Browsers do not send this part, so no server logs it.
 */
export function routeOf(hash: string): PortalRoute {
  const [path = "", search = ""] = hash.replace(/^#?\/?/, "").split("?", 2);
  const [view = "", name = ""] = path.split("/", 2);
  const query = new URLSearchParams(search);
  if (view === "cards" && name !== "") return { view: "card", externalId: decoded(name) };
  if (view === "cards") {
    const chosen = ["from", "day", "state", "code", "name"].flatMap((key) => {
      const value = query.get(key);
      return value === null || value === "" ? [] : [[key, value]];
    });
    return { view, filter: Object.fromEntries(chosen) };
  }
  if (view === "refusals") {
    const days = Number(query.get("days"));
    const code = query.get("code");
    return { view, days: isIn(refusalDays, days) ? days : 7, ...(code !== null && { code }) };
  }
  if (view === "webhooks" || view === "api" || view === "operator") return { view };
  if (path !== "") return { view: "nowhere" };
  const range = query.get("range");
  return { view: "overview", range: isIn(ranges, range) ? range : "24h" };
}

/** The address of a view, from `#` on. It never has credentials. */
export function addressOf(route: PortalRoute): string {
  switch (route.view) {
    case "overview":
      return route.range === "24h" ? "#/" : `#/?range=${route.range}`;
    case "cards": {
      const query = new URLSearchParams({ ...route.filter });
      return query.size === 0 ? "#/cards" : `#/cards?${query}`;
    }
    case "card":
      return `#/cards/${encodeURIComponent(route.externalId)}`;
    case "refusals": {
      const query = new URLSearchParams({
        days: String(route.days),
        ...(route.code && { code: route.code }),
      });
      return `#/refusals?${query}`;
    }
    default:
      return `#/${route.view}`;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
