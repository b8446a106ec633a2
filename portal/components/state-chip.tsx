import { texts } from "../texts/texts.ts";

/** A card's or an endpoint's state in its colour. */
export function StateChip({ state, label }: { readonly state: string; readonly label?: string }) {
  return <span class={`chip ${state}`}>{label ?? texts.states[state] ?? state}</span>;
}
