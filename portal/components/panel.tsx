import type { ComponentChildren } from "preact";

interface PanelProps {
  readonly id: string;
  readonly title: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** A part of a view whose heading names it. @param id of the heading */
export function Panel({ id, title, class: kind = "panel", children }: PanelProps) {
  return (
    <section class={kind} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
