import { findExcess, type JsonLimits } from "../../core/formats/exact-json.ts";
import { ProblemError, problem } from "./problem.ts";

/** The most that the body of a request may have. */
export interface BodyLimits extends JsonLimits {
  /** UTF-8. */
  readonly bytes: number;
}

const bytesText = (bytes: number) =>
  bytes < 2 ** 20 ? `${Math.floor(bytes / 1024)} KiB` : `${bytes / 2 ** 20} MiB`;

/** The limit that a body exceeds, e.g. `32 KiB`; undefined if it exceeds none. */
export const exceededLimit = (body: string, limits: BodyLimits): string | undefined =>
  Buffer.byteLength(body) > limits.bytes ? bytesText(limits.bytes) : excessText(body, limits);

function excessText(body: string, limits: JsonLimits): string | undefined {
  const excess = findExcess(body, limits);
  return excess && `${limits[excess].toLocaleString("en")} ${excess}`;
}

/** A request's body that exceeds a limit. @param what e.g. `sign-in` */
const tooLarge = (what: string, limit: string, remedy: string): ProblemError =>
  new ProblemError({
    type: "urn:scorecards:problem:too-large",
    title: `${what[0]?.toUpperCase()}${what.slice(1)} too large`,
    status: 413,
    detail: `A ${what} may have at most ${limit}. ${remedy}`,
    limit,
  });

/**
 * Reads the JSON body of a request. Every operation that reads one does it here, except submissions, which have limits of cards.
 *
 * @returns undefined if it is not JSON
 * @throws ProblemError 413 if it exceeds a limit, 400 if a field is named `__proto__`, which no object can have
 */
export function readJson(body: string, limits: BodyLimits, what: string, remedy: string): unknown {
  const exceeded = exceededLimit(body, limits);
  if (exceeded !== undefined) throw tooLarge(what, exceeded, remedy);
  let hasProto = false;
  let read: unknown;
  try {
    read = JSON.parse(body, (key, value) => {
      hasProto ||= key === "__proto__";
      return value;
    });
  } catch {
    return undefined;
  }
  if (!hasProto) return read;
  throw new ProblemError(problem(400, "Field cannot be read", "Nothing can be named __proto__. Rename it."));
}

/** Faults that a refusal tells: nobody reads more of them at once. */
const maxFaults = 20;

/** Faults as one sentence, the first of them only. */
export function faultsText(faults: Iterable<string>): string {
  const all = [...new Set(faults)];
  const more = all.length > maxFaults ? `; and ${all.length - maxFaults} more` : "";
  return `${all.slice(0, maxFaults).join("; ")}${more}.`;
}
