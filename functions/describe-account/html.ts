/** Text that is HTML: made by `html` only, so that nothing gets into a page unescaped. */
export interface Html {
  readonly markup: string;
}

/** What may stand in a template. */
export type HtmlValue = Html | string | number | undefined | readonly HtmlValue[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function markupOf(value: HtmlValue): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  if (typeof value === "string")
    return value.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
  return "markup" in value ? value.markup : value.map(markupOf).join("");
}

/**
 * A template of HTML: every text in it is escaped, for elements' content and for attributes in quotes.
 *
 * @example html`<a href="${address}">${name}</a>`
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const markup = values.reduce<string>(
    (written, value, place) => written + markupOf(value) + (parts[place + 1] ?? ""),
    parts[0] ?? "",
  );
  return { markup };
}
