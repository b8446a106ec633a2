import { pointerStep } from "../formats/json-pointer.ts";
import type { Findings } from "./findings.ts";
import { type DocumentedNames, maxMisspeltFields, type UnknownField } from "./misspelt-fields.ts";

type Fields = Record<string, unknown>;

/** One spelling for names that a reader may take for the same. It takes both steps, because a long s is an S in upper case only. */
const foldCase = (name: string) => name.toUpperCase().toLowerCase();

/** The documented name that differs from another only by case. */
function findDocumented(name: string, { known, maxLength }: DocumentedNames): string | undefined {
  if (name.length > maxLength) return undefined;
  const folded = foldCase(name);
  return known.find(({ lowerCase }) => lowerCase === folded)?.name;
}

/** Reports each field that a card has twice but for the case: a reader that ignores case takes the last, and so another card. */
export function reportCaseDuplicates(unknown: readonly UnknownField[], findings: Findings): void {
  const firsts = new Map<string, string>();
  for (const { of, name } of unknown) {
    const documented = findDocumented(name, of.documented);
    if (documented === undefined || findings.faults.length === maxMisspeltFields) continue;
    const first = documented in of.fields ? documented : firsts.get(`${of.pointer}/${documented}`);
    firsts.set(`${of.pointer}/${documented}`, name);
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
export function dropCaseDuplicates(filled: object, unknown: readonly UnknownField[]): void {
  for (const { of, name } of unknown) {
    const documented = findDocumented(name, of.documented);
    if (documented === undefined) continue;
    const steps = of.pointer.split("/").slice(1);
    const part = steps.reduce((at, step) => at[step] as Fields, filled as Fields);
    if (documented in part) delete part[name];
  }
}
