import type { FieldForm, Fields } from "./field-forms.ts";
import { fields as table } from "./scorecard.ts";

type Values = Readonly<Record<string, unknown>>;

/**
 * A card without the fields that its sender left unset: null where a field may be left out, and identifiers that are
 * the empty text. Typed clients write unset fields so. Fields that the table does not name are kept.
 *
 * @returns the card itself if it has none
 */
export function withoutUnset(card: object): object {
  return setFields(card as Values, table.card);
}

function setFields(sent: Values, fields: Fields): Values {
  const changed = Object.entries(fields).flatMap(([name, { form, required }]) => {
    const value = sent[name];
    const isUnset = !required && (value === null || (value === "" && form.identifier === true));
    const kept = isUnset ? undefined : setValue(value, form);
    return kept === value ? [] : [[name, kept] as const];
  });
  if (changed.length === 0) return sent;
  const kept = { ...sent, ...Object.fromEntries(changed) };
  for (const [name, value] of changed) if (value === undefined) delete kept[name];
  return kept;
}

function setValue(value: unknown, { fields, entry }: FieldForm): unknown {
  if (entry?.fields !== undefined && Array.isArray(value)) {
    const entries: unknown[] = value.map((one) => setValue(one, entry));
    return entries.every((one, place) => one === value[place]) ? value : entries;
  }
  if (fields === undefined || typeof value !== "object" || value === null || Array.isArray(value))
    return value;
  return setFields(value as Values, fields);
}
