import { pointerStep } from "../../core/formats/json-pointer.ts";

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/**
 * Compares two cards as they are delivered. A figure is the same as a number and as a text.
 *
 * @returns JSON pointers to the fields that differ, or that one of them lacks
 */
export function differingFields(one: unknown, other: unknown, pointer = ""): string[] {
  if (!isObject(one) || !isObject(other)) return String(one) === String(other) ? [] : [pointer];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) =>
    differingFields(one[name], other[name], `${pointer}/${pointerStep(name)}`),
  );
}
