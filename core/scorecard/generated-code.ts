/**
 * Code that is generated once, when the module is loaded, for each object of the table of fields: one expression per
 * field. Loops over the fields take more than twice as long, and every card of a submission is checked and hashed.
 *
 * The code is made of the table's own names alone, which are identifiers; nothing that was sent gets into it.
 */

type Check = (value: unknown) => boolean;

/** What the code is generated from: the fields of an object by their names. */
interface FieldTable {
  readonly [name: string]: {
    readonly required?: true;
    readonly nullable?: true;
    readonly form: {
      readonly fits: Check;
      readonly fields?: object;
      readonly entry?: { readonly fields?: object };
    };
  };
}

/**
 * Generates the check whether an object has all required fields, and known fields of their forms only.
 *
 * @param isObject whether a value has fields at all
 */
export function generateCheck(fields: FieldTable, isObject: Check): Check {
  const conditions = Object.entries(fields).map(([name, { required, nullable }]) => {
    const isAbsent = required ? "" : `object.${name} === undefined || `;
    const isNull = nullable ? `object.${name} === null || ` : "";
    return `(${isAbsent}${isNull}${name}(object.${name}))`;
  });
  const code = `return (object) => isObject(object) && ${conditions.join(" && ")}`;
  const checks = Object.values(fields).map(({ form }) => form.fits);
  return new Function("isObject", ...Object.keys(fields), code)(isObject, ...checks);
}

/** Generates the count of the known fields that an object has. */
export function generateCount(fields: FieldTable): (object: object) => number {
  const counts = Object.keys(fields).map((name) => `(object.${name} === undefined ? 0 : 1)`);
  return new Function("object", `return ${counts.join(" + ")}`) as (object: object) => number;
}

/**
 * Generates what appends the values of an object's known fields to a list, in the order of the table, and returns the
 * list. Objects and lists of objects are left out.
 *
 * @param sentNull stands for a null in the list
 */
export function generateAppend(
  fields: FieldTable,
  sentNull: object,
): (object: object, list: unknown[]) => unknown[] {
  const values = Object.entries(fields).flatMap(([name, { form, nullable }]) => {
    if (form.fields !== undefined || form.entry?.fields !== undefined) return [];
    return nullable ? `object.${name} === null ? sentNull : object.${name}` : `object.${name}`;
  });
  return new Function("sentNull", `return (object, list) => { list.push(${values}); return list; }`)(
    sentNull,
  );
}
