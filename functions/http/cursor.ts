import type { FeedPlace } from "../../core/webhooks/endpoint.ts";

const day = String.raw`\d{4}-\d\d-\d\d`;
const time = String.raw`${day}T\d\d:\d\d:\d\d\.\d{3}Z`;
const shardItem = String.raw`\d{40}#[\w-]{1,100}`;

/** What a place in each list of the API consists of, as patterns. */
const places = {
  /** When the card's state was recorded, and its ExternalID. */
  state: [time, ".+"],
  /** An item of a list of days, and how many of its cards come before. So the others that end with a number. */
  days: [`${day}#${shardItem}`, String.raw`\d{1,4}`],
  refusals: [String.raw`${time}#[\w-]{1,100}#\d{3,4}`, String.raw`\d{1,5}`],
  tournaments: [day, String.raw`~[\w-]{22}`],
  tournamentCards: [day, shardItem, String.raw`\d{1,4}`],
  events: [String.raw`\d{1,15}`, String.raw`\d{1,4}`],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** A list of the API that is read in pages. */
export type CursorKind = keyof typeof places;

const toPattern = (kind: CursorKind, separator: string) =>
  new RegExp(`^${places[kind].map((part) => `(${part})`).join(separator)}$`, "s");

/** A place in a list as a text that is only to be sent back. */
export const writeCursor = (kind: CursorKind, ...place: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify([kind, place.join("\n")])).toString("base64url");

/** The place that a cursor names; undefined if it is none of this list. */
export function readCursor(kind: CursorKind, cursor: string): readonly string[] | undefined {
  const place = toPattern(kind, "\n").exec(decoded(kind, cursor) ?? "") ?? readEarlierCursor(kind, cursor);
  return place?.slice(1);
}

/** The place in a feed that a cursor names; undefined if it names none. */
export function readFeedCursor(cursor: string): FeedPlace | undefined {
  const [item, events] = readCursor("events", cursor) ?? [];
  return item === undefined ? undefined : { item: Number(item), events: Number(events) };
}

function decoded(kind: CursorKind, cursor: string): string | undefined {
  try {
    const [of, place] = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")) as unknown[];
    return of === kind && typeof place === "string" ? place : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the spelling of 0.2.0, so that a list or a feed that was begun before an update goes on. It goes with 0.4.0. */
function readEarlierCursor(kind: CursorKind, cursor: string): RegExpExecArray | null {
  return toPattern(kind, kind === "events" ? "-" : "#").exec(cursor);
}
