import type { ComponentChildren } from "preact";

/** A part of a view whose heading names it. @param id of the heading */
export function Panel({
  id,
  title,
  class: kind = "panel",
  children,
}: {
  readonly id: string;
  readonly title: ComponentChildren;
  readonly class?: string;
  readonly children: ComponentChildren;
}) {
  return (
    <section class={kind} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
