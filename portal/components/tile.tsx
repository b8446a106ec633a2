import type { ComponentChildren } from "preact";

interface TileProps {
  readonly name: string;
  readonly value: string;
  readonly kind?: string;
  readonly children?: ComponentChildren;
}

/** A figure with its name, in a list of them. */
export function Tile({ name, value, kind = "", children }: TileProps) {
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
