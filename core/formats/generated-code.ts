import { isLongNumber } from "./exact-json.ts";

/**
 * Code that is generated once, when the module is loaded, for each object of the table of fields: one expression per
 * field. With loops over the fields a card takes 1.7 times as long, and every card of a submission is checked and hashed.
 * See decision 21.
 *
 * The code is made of the table's own names alone, which are identifiers; nothing that was sent gets into it.
 */

type Check = (value: unknown) => boolean;

interface Form {
  readonly fits: Check;
  /** Of a whole number, whose check is inlined: a card has more than a hundred. */
  readonly bounds?: readonly [least: number, most: number];
  readonly fields?: object;
  readonly entry?: { readonly fields?: object };
}

/** The fields of an object by their names. */
interface FieldTable {
  readonly [name: string]: { readonly required?: true; readonly form: Form };
}

/** Generates the check whether an object has all required fields, and known fields of their forms only. */
export function generateCheck(fields: FieldTable): Check {
  const conditions = Object.entries(fields).map(([name, { required, form }]) => {
    const isAbsent = required ? "" : "value === undefined || ";
    const fits = form.bounds === undefined ? `${name}(value)` : isWholeWithin("value", form.bounds);
    return `((value = object.${name}), ${isAbsent}${fits})`;
  });
  // The property is looked for here, where objects are of one kind: in a function for all kinds it took 4 % of a card's time more.
  const isPlain =
    'typeof object === "object" && object !== null && !Array.isArray(object) && (object.rawJSON === undefined || !isLongNumber(object))';
  const code = `return (object) => { let value; return ${isPlain} && ${conditions.join(" && ")}; }`;
  const checks = Object.values(fields).map(({ form }) => form.fits);
  return new Function("isLongNumber", ...Object.keys(fields), code)(isLongNumber, ...checks);
}

/** Generates the check whether a list has no more entries than a number, each of a form. */
export function generateListCheck(most: number, { fits, bounds }: Form): Check {
  const entryFits = bounds === undefined ? "fits(entry)" : isWholeWithin("entry", bounds);
  const code = `return (list) => {
    if (!Array.isArray(list) || list.length > ${most}) return false;
    for (const entry of list) if (!${entryFits}) return false;
    return true;
  }`;
  return new Function("fits", code)(fits);
}

/** An expression for a whole number within bounds of 32 bits. Without `typeof`, `|` throws on what `rawJSON` makes. */
const isWholeWithin = (value: string, [least, most]: readonly [least: number, most: number]) =>
  `(typeof ${value} === "number" && (${value} | 0) === ${value} && ${value} >= ${least} && ${value} <= ${most})`;

/** Generates the count of the known fields that an object has. */
export function generateCount(fields: FieldTable): (object: object) => number {
  const counts = Object.keys(fields).map((name) => `(object.${name} === undefined ? 0 : 1)`);
  return new Function("object", `return ${counts.join(" + ")}`) as (object: object) => number;
}

const valuesOf = (fields: FieldTable) =>
  Object.entries(fields).flatMap(([name, { form }]) =>
    form.fields === undefined && form.entry?.fields === undefined ? `object.${name}` : [],
  );

/**
 * Generates the list of the values of an object's known fields, in the order of the table. Objects and lists of objects are
 * left out.
 */
export function generateValues(fields: FieldTable): (object: object) => unknown[] {
  return new Function("object", `return [${valuesOf(fields)}]`) as ReturnType<typeof generateValues>;
}

/** Generates one list of the values of several objects with these fields, object after object. */
export function generateValuesOfAll(fields: FieldTable): (objects: readonly object[]) => unknown[] {
  const code = `const list = []; for (const object of objects) list.push(${valuesOf(fields)}); return list;`;
  return new Function("objects", code) as ReturnType<typeof generateValuesOfAll>;
}
