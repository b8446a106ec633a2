import type * as z from "zod/mini";
import { mostHoles } from "../courses/round-length.ts";
import { type FaultCode, faultCodes } from "./fault-codes.ts";
import { formInWords } from "./scorecard.ts";

/** A fault of a card's form. */
export interface ShapeFault {
  readonly code: FaultCode;
  readonly detail: string;
  readonly expected?: unknown;
  readonly received?: unknown;
}

const garbledExternalId =
  "ExternalID holds U+FFFD, which stands for what is not UTF-8: other cards could get the same. The body was probably written in another encoding. Send it in UTF-8.";

const isFaultCode = (text: string): text is FaultCode => faultCodes.some((code) => code === text);

/** Puts an issue that the schema found into words for the vendor. @param received what the card has in that place */
export function shapeFault(issue: z.core.$ZodIssue, received: unknown): ShapeFault {
  const field = issue.path.join("/");
  const mustBe = `${field} must be ${formInWords(field)}`;
  if (received === undefined) return { code: "required", detail: `${field} is missing. ${mustBe}.` };
  if (issue.message === "external_id_garbled")
    return { code: issue.message, detail: garbledExternalId, ...shown(field, received) };
  if (isFaultCode(issue.message)) {
    if (Array.isArray(received) && issue.code === "too_big") return tooLong(field, issue.message, received);
    return { code: issue.message, detail: `${mustBe}.`, ...shown(field, received) };
  }
  if (issue.code === "too_big" || issue.code === "too_small") {
    const expected = issue.code === "too_big" ? `at most ${issue.maximum}` : `at least ${issue.minimum}`;
    return { code: "out_of_range", detail: `${mustBe}, ${expected}.`, expected, ...shown(field, received) };
  }
  if (issue.code === "invalid_value" && typeof received === "number") {
    return { code: "value_not_allowed", detail: `${mustBe}.`, expected: issue.values, received };
  }
  return { code: "wrong_type", detail: `${mustBe}, not ${typeName(received)}.`, ...shown(field, received) };
}

function tooLong(field: string, code: FaultCode, list: readonly unknown[]): ShapeFault {
  const detail = `${field} has more entries than a round has holes. Send one for each hole of the tee.`;
  return { code, detail, expected: `at most ${mostHoles}`, received: list.length };
}

function typeName(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "number" && !Number.isInteger(value)) return "a fraction";
  if (Array.isArray(value)) return "a list";
  return (
    { string: "a text", number: "a number", boolean: "true or false" }[typeof value as string] ?? "an object"
  );
}

const longestShown = 100;

/** What was sent, cut short; not where it is an object or may be data of a person. */
function shown(field: string, received: unknown): { received?: unknown } {
  if (/^(Player|Marker|Comment)\b/.test(field) || (typeof received === "object" && received !== null))
    return {};
  return { received: typeof received === "string" ? received.slice(0, longestShown) : received };
}
