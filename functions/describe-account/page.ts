import { hash } from "node:crypto";
import type { HttpResponse } from "../http/response.ts";
import { style } from "./style.ts";

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

function markupOf(value: HtmlValue): string {
  if (value === undefined) return "";
  if (typeof value === "number") return String(value);
  if (typeof value === "string")
    return value.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
  return "markup" in value ? value.markup : value.map(markupOf).join("");
}

/**
 * A template of HTML. It escapes every text, for the content of elements and for attributes in quotes.
 *
 * @example html`<a href="${address}">${name}</a>`
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  const markup = values.reduce<string>(
    (written, value, index) => written + markupOf(value) + (parts[index + 1] ?? ""),
    parts[0] ?? "",
  );
  return { markup };
}

/** The content of a page. */
export interface Page {
  readonly title: string;
  /** Absent if the request could not be read. */
  readonly stage?: string;
  readonly content: Html;
}

/** A flag on a green. With it no browser requests /favicon.ico. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='8' fill='%2317643a'/%3E%3Cpath d='M6 3v10M6 3l5 2.2L6 7.5' fill='%23fff' stroke='%23fff'/%3E%3C/svg%3E";

/** No scripts, no requests, no framing; the form is sent only to its own origin. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${hash("sha256", style, "base64")}'`,
  "img-src data:",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

const headers = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": contentSecurityPolicy,
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "Strict-Transport-Security": "max-age=31536000",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

/** A response with a page. */
export function pageResponse(statusCode: number, { title, stage, content }: Page): HttpResponse {
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Scorecards</title>
<link rel="icon" href="${icon}">
<style>${{ markup: style }}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><p>Scorecards</p>${stage === undefined ? undefined : html`<p class="stage">Stage ${stage}</p>`}</header>
<main id="content" tabindex="-1">
${content}
</main>
<footer><p>Every request and response is described in <a href="openapi.json">openapi.json</a>.</p></footer>
</body>
</html>
`;
  return { statusCode, headers, body: markup };
}
