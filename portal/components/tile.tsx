import type { ComponentChildren } from "preact";

/** A figure with its name, in a list of them. */
export function Tile({
  name,
  value,
  kind = "",
  children,
}: {
  readonly name: string;
  readonly value: string;
  readonly kind?: string;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class={`tile ${kind}`}>
      <dt>{name}</dt>
      <dd>
        <span class="figure">{value}</span>
        {children !== undefined && children !== false && <span class="quiet">{children}</span>}
      </dd>
    </div>
  );
}
