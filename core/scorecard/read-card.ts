import { mostHoles } from "../courses/round-length.ts";
import type { Findings } from "./findings.ts";
import { cardParts, type ReadableCard, type Scorecard, scorecardSchema } from "./scorecard.ts";
import { shapeFault } from "./shape-fault.ts";

/** A card as far as it can be read. */
export interface CardReading {
  /** The card without the fields that are not of their form. */
  readonly card: ReadableCard;
  /** JSON pointers of the fields that are not of their form. */
  readonly unreadable: ReadonlySet<string>;
  /** How many entries Strokes has, whatever they are; undefined where it is no list. */
  readonly strokesSent: number | undefined;
}

type Fields = Record<string, unknown>;
type Path = readonly PropertyKey[];

const nothing: ReadonlySet<string> = new Set();

/** Reads a card that is of its form. */
export function readCard(card: Scorecard): CardReading {
  return { card, unreadable: nothing, strokesSent: card.Result.Strokes.length };
}

/** Reads what it can of a card that is not of its form, and collects what is wrong with the rest. */
export function readFaultyCard(sent: Readonly<Fields>, findings: Findings): CardReading {
  const found = scorecardSchema.safeParse(sent).error?.issues ?? [];
  // A huge number breaks two bounds, that of any whole number and its own: of a field's issues the last is kept.
  const issues = new Map(found.map((issue) => [pointerTo(issue.path), issue]));
  const card = readableCopy(sent);
  for (const [pointer, issue] of issues) {
    const { code, detail, ...values } = shapeFault(issue, valueAt(sent, issue.path));
    findings.fault(pointer, code, detail, values);
    // The fields of an unidentified marker can be read all the same.
    if (code !== "marker_unidentified") leaveOut(card, issue.path);
  }
  const strokes = valueAt(sent, ["Result", "Strokes"]);
  return {
    card: card as unknown as ReadableCard,
    unreadable: new Set(issues.keys()),
    strokesSent: Array.isArray(strokes) ? strokes.length : undefined,
  };
}

const pointerTo = (path: Path) => path.map((step) => `/${String(step)}`).join("");

const isObject = (value: unknown): value is Fields => typeof value === "object" && value !== null;

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, step) => (isObject(at) ? at[String(step)] : undefined), value);
}

/** A copy from which any field can be deleted, down to those of a hole; each part and each hole of it is an object. */
function readableCopy(sent: Readonly<Fields>): Fields {
  const part = (value: unknown): Fields => (isObject(value) && !Array.isArray(value) ? { ...value } : {});
  const course = part(sent.Course);
  if (Array.isArray(course.Holes)) course.Holes = course.Holes.slice(0, mostHoles).map(part);
  return {
    ...sent,
    ...Object.fromEntries(cardParts.map((name) => [name, part(sent[name])])),
    Course: course,
  };
}

/** Deletes what a path leads to; for an entry of a list of numbers, the whole list. */
function leaveOut(card: Fields, path: Path): void {
  const [first = "", second, place, field] = path.map(String);
  const part = card[first];
  if (second === undefined) {
    if (!cardParts.some((name) => name === first)) delete card[first];
  } else if (isObject(part)) {
    const hole =
      second === "Holes" && place !== undefined ? (part[second] as Fields[])[Number(place)] : undefined;
    if (hole === undefined) delete part[second];
    else if (field !== undefined) delete hole[field];
  }
}
