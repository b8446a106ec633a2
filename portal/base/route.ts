/** A view of the portal, with what it shows. */
export type PortalRoute =
  | { readonly view: "overview"; readonly range: Range }
  | { readonly view: "cards"; readonly filter: CardFilter }
  | { readonly view: "card"; readonly externalId: string }
  | { readonly view: "refusals"; readonly days: RefusalDays; readonly code?: string }
  | { readonly view: "tournaments"; readonly period: TournamentPeriod }
  | { readonly view: "tournament"; readonly shown: ShownTournament }
  | { readonly view: "send" }
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

/** Cards of a day, those in a state that needs attention, or with `counted` those that Activity counted. */
export interface CardFilter {
  /** `2026-07-04`; absent for today. */
  readonly day?: string;
  /** The first of several days that end with `day`; absent for that day alone. */
  readonly from?: string;
  /** A state whose cards the API lists whenever they were accepted. */
  readonly state?: string;
  /** What the cards were counted for on these days, whenever they were accepted: a count, or the code of a warning. */
  readonly counted?: string;
}

/** How many days of tournaments are listed. */
export type TournamentDays = (typeof tournamentDays)[number];
export const tournamentDays = [1, 7, 31] as const;

/** Days of play. */
export interface TournamentPeriod {
  readonly days: TournamentDays;
  /** The last of them, `2026-07-04`; absent for today. */
  readonly to?: string;
}

/** A tournament on some days. */
export interface ShownTournament {
  readonly id: string;
  /** Days of play, `2026-07-04`. */
  readonly from: string;
  readonly to: string;
}

const isDay = (text: string | null): text is string => /^\d{4}-\d\d-\d\d$/.test(text ?? "");

function tournamentRoute(name: string, query: URLSearchParams): PortalRoute {
  const [from, to] = [query.get("from"), query.get("to")];
  if (name === "") {
    const days = Number(query.get("days"));
    return {
      view: "tournaments",
      period: { days: isIn(tournamentDays, days) ? days : 31, ...(isDay(to) && { to }) },
    };
  }
  if (!isDay(from) || !isDay(to)) return { view: "nowhere" };
  return { view: "tournament", shown: { id: decodePart(name), from, to } };
}

const isIn = <Value>(values: readonly Value[], value: unknown): value is Value =>
  values.includes(value as Value);

/**
 * The view that an address names; the overview if it is empty.
 *
 * @param hash the address from `#` on, e.g. `#/cards/card-417`. Browsers do not send this part, so no server logs it.
 */
export function parseRoute(hash: string): PortalRoute {
  const [path = "", search = ""] = hash.replace(/^#?\/?/, "").split("?", 2);
  const [view = "", name = ""] = path.split("/", 2);
  const query = new URLSearchParams(search);
  if (view === "cards" && name !== "") return { view: "card", externalId: decodePart(name) };
  if (view === "cards") {
    const chosen = ["from", "day", "state", "counted"].flatMap((key) => {
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
  if (view === "tournaments") return tournamentRoute(name, query);
  if (view === "send" || view === "webhooks" || view === "api" || view === "operator") return { view };
  if (path !== "") return { view: "nowhere" };
  const range = query.get("range");
  return { view: "overview", range: isIn(ranges, range) ? range : "24h" };
}

/** The address of a view, from `#` on. It never has credentials. */
export function toAddress(route: PortalRoute): string {
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
    case "tournaments": {
      const { days, to } = route.period;
      const query = new URLSearchParams({ ...(days !== 31 && { days: String(days) }), ...(to && { to }) });
      return query.size === 0 ? "#/tournaments" : `#/tournaments?${query}`;
    }
    case "tournament": {
      const { id, from, to } = route.shown;
      return `#/tournaments/${encodeURIComponent(id)}?${new URLSearchParams({ from, to })}`;
    }
    default:
      return `#/${route.view}`;
  }
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
