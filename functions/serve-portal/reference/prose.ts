import { type Html, html } from "../../http/page/html.ts";

/**
 * A description as HTML. It may have what the descriptions in the OpenAPI document have of Markdown: paragraphs, lists with
 * hyphens, `code` and **bold**.
 */
export function renderProse(text: string): Html[] {
  return text
    .split(/\n{2,}/)
    .filter((block) => block.trim() !== "")
    .map((block) =>
      block.startsWith("- ")
        ? html`<ul>${block
            .slice(2)
            .split(/\n- /)
            .map((item) => html`<li>${inline(item)}</li>`)}</ul>`
        : html`<p>${inline(block)}</p>`,
    );
}

/** A text of one line, with `code` and **bold**. */
export function inline(text: string): Html[] {
  return text
    .split("`")
    .flatMap((part, place) => (place % 2 === 1 ? [html`<code>${part}</code>`] : bold(part)));
}

function bold(text: string): Html[] {
  return text
    .split("**")
    .map((part, place) => (place % 2 === 1 ? html`<strong>${part}</strong>` : html`${part}`));
}
