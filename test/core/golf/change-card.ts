import type { Json } from "./sample-cards.ts";

/** A copy of a card with a field set, by its JSON pointer; undefined leaves it out. */
export function withField(card: Json, pointer: string, value: unknown): Json {
  const changed = structuredClone(card);
  const steps = pointer.split("/").slice(1);
  const last = steps.pop() ?? "";
  const part = steps.reduce((at, step) => at[step], changed);
  if (value === undefined) delete part[last];
  else part[last] = value;
  return changed;
}

/** What a card has at a JSON pointer. */
export function fieldOf(card: Json, pointer: string): Json {
  return pointer
    .split("/")
    .slice(1)
    .reduce((at, step) => at?.[step], card);
}
