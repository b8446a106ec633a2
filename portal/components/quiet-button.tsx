import type { ComponentProps } from "preact";

/** A button beside the one that matters most. */
export const QuietButton = (props: ComponentProps<"button">) => (
  <button type="button" class="quiet-button" {...props} />
);
