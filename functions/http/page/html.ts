/** HTML text. Only `html` makes it, so that nothing gets into a page unescaped. */
export interface Html {
  readonly markup: string;
}

/** What a template may contain. */
type HtmlValue = Html | string | number | undefined | readonly HtmlValue[];

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** A text for the content of elements and for attributes in quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
}

function toMarkup(value: HtmlValue): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return escapeHtml(value);
  return "markup" in value ? value.markup : value.map(toMarkup).join("");
}

/**
 * A template of HTML. It escapes every text, for the content of elements and for attributes in quotes.
 *
 * @example html`<a href="${address}">${name}</a>`
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const markup = values.reduce<string>(
    (written, value, index) => written + toMarkup(value) + (parts[index + 1] ?? ""),
    parts[0] ?? "",
  );
  return { markup };
}
