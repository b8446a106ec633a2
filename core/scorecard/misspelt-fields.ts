import type { UnknownField } from "./content.ts";
import type { Findings } from "./findings.ts";

/** Whether two names differ in their case only, or by one letter more, less or other. */
function isNearMiss(one: string, other: string): boolean {
  const [long = "", short = ""] = [one.toLowerCase(), other.toLowerCase()].sort(
    (a, b) => b.length - a.length,
  );
  let start = 0;
  while (start < short.length && long[start] === short[start]) start++;
  const rest = long.slice(start + 1);
  return rest === short.slice(start) || rest === short.slice(start + 1);
}

/** The documented name that another is probably meant for; undefined if there is none, or if it is documented itself. */
function meantName(name: string, documented: readonly string[]): string | undefined {
  return documented.includes(name) ? undefined : documented.find((known) => isNearMiss(name, known));
}

/** The name that an object has instead of a documented one that it lacks. */
export function misspellingOf(
  name: string,
  object: object,
  documented: readonly string[],
): string | undefined {
  return Object.keys(object).find((sent) => meantName(sent, documented) === name);
}

/** Warns of fields that the union does not document, but whose names are nearly those of fields that it does. */
export function warnOfMisspeltFields(unknown: readonly UnknownField[], findings: Findings): void {
  for (const { pointer, name, documented } of unknown) {
    const expected = meantName(name, documented);
    if (expected === undefined) continue;
    const detail = `${name} is no field of the union's, but ${expected} is. It is passed on as sent, and not read. Send ${expected} if that is meant.`;
    findings.warn(pointer, "field_misspelt", detail, { expected, received: name });
  }
}
