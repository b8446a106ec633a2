import { texts } from "../texts/texts.ts";

interface StateChipProps {
  readonly state: string;
  readonly label?: string;
  readonly hasWarnings?: boolean;
}

/** A card's or an endpoint's state in its colour, which is that of a warning if the card has any. */
export function StateChip({ state, label, hasWarnings = false }: StateChipProps) {
  return (
    <span class={`chip ${state} ${hasWarnings ? "warned" : ""}`}>
      {label ?? texts.states[state] ?? state}
    </span>
  );
}
