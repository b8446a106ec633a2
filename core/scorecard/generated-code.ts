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
  const conditions = Object.entries(fields).map(([name, { required }]) => {
    const isAbsent = required ? "" : `object.${name} === undefined || `;
    return `(${isAbsent}${name}(object.${name}))`;
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
 */
export function generateAppend(fields: FieldTable): (object: object, list: unknown[]) => unknown[] {
  const values = Object.entries(fields).flatMap(([name, { form }]) =>
    form.fields === undefined && form.entry?.fields === undefined ? `object.${name}` : [],
  );
  const code = `list.push(${values}); return list;`;
  return new Function("object", "list", code) as ReturnType<typeof generateAppend>;
}
