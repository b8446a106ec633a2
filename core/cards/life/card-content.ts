import { packText, unpackText } from "../../aws/packed-json.ts";
import { type GuidKey, guidKey } from "../../formats/identifiers.ts";
import type { Finding } from "../../golf/findings.ts";

/**
 * A card as it is answered, stored and posted, with the warnings that the vendor got. It is serialized once, when it is
 * accepted: the same text goes to the vendor, the table and the exchange.
 */
export interface CardContent {
  /** JSON of the card. @throws Error if the stored content was not packed by `contentOf` */
  readonly text: () => string;
  /** The same, parsed on first use; it is shared, so it must not be changed. @throws Error as `text`, or if it is no JSON */
  readonly card: () => unknown;
  readonly warnings: () => readonly Finding[];
  /** The packed form is made on first use. */
  readonly packed: () => Uint8Array;
}

/** Between a card and its warnings: `JSON.stringify` writes no line break. */
const separator = "\n";

/** Makes a function that makes its result on first use. */
function once<Result>(make: () => Result): () => Result {
  let made: { readonly result: Result } | undefined;
  return () => {
    made ??= { result: make() };
    return made.result;
  };
}

/** The content of a card that was just accepted. */
export const contentOf = (card: object, warnings: readonly Finding[] = []): CardContent =>
  textContent(JSON.stringify(card), warnings);

const textContent = (text: string, warnings: readonly Finding[]): CardContent => ({
  text: () => text,
  card: once(() => JSON.parse(text)),
  warnings: () => warnings,
  packed: once(() => packText(warnings.length === 0 ? text : text + separator + JSON.stringify(warnings))),
});

/** The same content with one more warning. */
export const withWarning = (content: CardContent, warning: Finding): CardContent =>
  textContent(content.text(), [...content.warnings(), warning]);

/** The content of a stored card; unpacked on first use. */
export function packedContent(packed: Uint8Array): CardContent {
  const lines = once(() => unpackText(packed).split(separator));
  const text = () => lines()[0] ?? "";
  return {
    text,
    card: once(() => JSON.parse(text())),
    warnings: () => JSON.parse(lines()[1] ?? "[]"),
    packed: () => packed,
  };
}

/** The club at which a card's round was played; undefined if its player was erased, or if the card names none. */
export function clubOfRound(content: Pick<CardContent, "card">): GuidKey | undefined {
  const { Course } = content.card() as { readonly Course?: { readonly ClubID?: unknown } };
  return typeof Course?.ClubID === "string" ? guidKey(Course.ClubID) : undefined;
}

/** The day on which a card's round was played, e.g. `2026-07-04`; undefined if its player was erased. */
export function dayOfPlay(content: Pick<CardContent, "card" | "text">): string | undefined {
  const [, only, another] = content.text().split('"StartTime":"');
  // Parsing takes much longer. Only fields that the union does not have may hold another StartTime.
  const isParsed = only === undefined || another !== undefined;
  const { Round } = (isParsed ? content.card() : {}) as { readonly Round?: { readonly StartTime?: unknown } };
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)T/.exec(String(isParsed ? Round?.StartTime : only)) ?? [];
  return year === undefined ? undefined : `${year}-${month}-${day}`;
}

/** Whether a card's round was played before today, e.g. `2026-07-04` in the union's time zone: then no hurry brings it in on its day. */
export function isOfEarlierDay(content: Pick<CardContent, "card" | "text">, today: string): boolean {
  const day = dayOfPlay(content);
  return day !== undefined && day < today;
}

/** The part of a card's round that the player's record also has. */
export interface CardRound {
  /** Timestamp in the union's time zone. */
  readonly startTime: string;
  readonly totalStrokes: number;
  readonly totalPoints: number;
  /** At least one of both numbers is there. */
  readonly unionId: string | undefined;
  readonly lifeTimeId: string | undefined;
}

/** Reads the round from a card that was accepted; undefined if its player was erased. */
export function roundOf(content: CardContent): CardRound | undefined {
  const { Round, Result, Player } = content.card() as Partial<{
    readonly Round: { readonly StartTime: string };
    readonly Result: { readonly TotalStrokes: number; readonly TotalPoints: number };
    readonly Player: { readonly UnionID?: string | null; readonly LifeTimeID?: string | null };
  }>;
  if (Round === undefined || Result === undefined || Player === undefined) return undefined;
  return {
    startTime: Round.StartTime,
    totalStrokes: Result.TotalStrokes,
    totalPoints: Result.TotalPoints,
    unionId: Player.UnionID ?? undefined,
    lifeTimeId: Player.LifeTimeID ?? undefined,
  };
}
