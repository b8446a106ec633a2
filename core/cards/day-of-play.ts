import { dayOf } from "../formats/union-time.ts";
import type { Arrival } from "./card.ts";
import type { CardContent } from "./card-content.ts";
import type { OutcomeUpdate } from "./record.ts";

const startTime = '"StartTime":"';

/** The StartTime of a card's round. In JSON, a text cannot look like a field: its quotes are escaped. */
function startOf(text: string): unknown {
  const first = text.indexOf(startTime);
  // Fields that the union does not have may hold another: only then the card is parsed, which takes much longer.
  const isOnlyOne = first !== -1 && text.indexOf(startTime, first + 1) === -1;
  if (isOnlyOne)
    return text.slice(first + startTime.length, first + startTime.length + "yyyymmddThhmmss".length);
  const { Round } = JSON.parse(text) as { readonly Round?: { readonly StartTime?: unknown } };
  return Round?.StartTime;
}

/** The day on which a card's round was played, e.g. `2026-07-04`; undefined if its player was erased. */
function dayOfPlay(content: Pick<CardContent, "text">): string | undefined {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)T/.exec(String(startOf(content.text()))) ?? [];
  return year === undefined ? undefined : `${year}-${month}-${day}`;
}

/**
 * Whether a card's round was played on an earlier day than today: then no hurry brings it in on its day of play.
 *
 * @param today e.g. `2026-07-04`, in the union's time zone
 */
export function isOfEarlierDay(content: Pick<CardContent, "text">, today: string): boolean {
  const day = dayOfPlay(content);
  return day !== undefined && day < today;
}

/** The update of a card; if it says that the card was delivered, it also says whether that was on the day of play. */
export function withArrival(
  update: OutcomeUpdate,
  content: Pick<CardContent, "text">,
  timeZone: string,
): OutcomeUpdate {
  const { state, since } = update.set;
  const day = state === "delivered" && since !== undefined ? dayOfPlay(content) : undefined;
  if (day === undefined || since === undefined) return update;
  const arrival: Arrival = dayOf(since, timeZone) <= day ? "onDayOfPlay" : "late";
  return { ...update, set: { ...update.set, arrival } };
}
