import type { ComponentChildren } from "preact";

interface Table {
  readonly headings: readonly (string | undefined)[];
  readonly class?: string;
  readonly caption?: string;
  /** Rows below the headings. */
  readonly children: ComponentChildren;
}

/** A table of figures. */
export const Figures = ({ headings, class: kind = "", caption, children }: Table) => (
  <table class={`figures ${kind}`}>
    {caption !== undefined && <caption class="quiet">{caption}</caption>}
    <thead>
      <tr>
        {headings.map((heading, place) => (
          <th scope="col" key={place}>
            {heading}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
);

/** A table that may be wider than the window. @param labelledBy ID of the heading that names it */
export const WideFigures = ({ labelledBy, ...table }: Table & { readonly labelledBy: string }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls sideways must be reached by the keyboard
  <section class="wide" tabIndex={0} aria-labelledby={labelledBy}>
    <Figures {...table} />
  </section>
);
