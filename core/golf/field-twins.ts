import { pointerStep } from "../formats/json-pointer.ts";
import type { Findings } from "./findings.ts";
import { type DocumentedNames, maxMisspeltFields, type UnknownField } from "./misspelt-fields.ts";

type Fields = Record<string, unknown>;

/** One spelling for names that a reader may take for the same. It takes both steps, because a long s is an S in upper case only. */
const foldCase = (name: string) => name.toUpperCase().toLowerCase();

/** The documented name that differs from another only by case. */
function findTwin(name: string, { known, maxLength }: DocumentedNames): string | undefined {
  if (name.length > maxLength) return undefined;
  const folded = foldCase(name);
  return known.find(({ lowerCase }) => lowerCase === folded)?.name;
}

/** Reports each field that a card has twice but for the case: a reader that ignores case takes the last, and so another card. */
export function reportTwins(unknown: readonly UnknownField[], findings: Findings): void {
  const firsts = new Map<string, string>();
  for (const { of, name } of unknown) {
    const twin = findTwin(name, of.documented);
    if (twin === undefined || findings.faults.length === maxMisspeltFields) continue;
    const first = twin in of.fields ? twin : firsts.get(`${of.pointer}/${twin}`);
    firsts.set(`${of.pointer}/${twin}`, name);
    if (first === undefined) continue;
    const detail = `The card has ${name} beside ${first}. A program that ignores case reads one of them, another program the other. Leave ${name} out.`;
    findings.fault(`${of.pointer}/${pointerStep(name)}`, "field_twice", detail, {
      expected: first,
      received: name,
    });
  }
}

/**
 * Removes the other spellings of filled-in fields, so that the exchange gets each field once. A part with such a field is a copy of
 * what was sent, because something was filled in.
 */
export function dropTwins(filled: object, unknown: readonly UnknownField[]): void {
  for (const { of, name } of unknown) {
    const twin = findTwin(name, of.documented);
    if (twin === undefined) continue;
    const steps = of.pointer.split("/").slice(1);
    const part = steps.reduce((at, step) => at[step] as Fields, filled as Fields);
    if (twin in part) delete part[name];
  }
}
