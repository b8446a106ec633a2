import { hash } from "node:crypto";
import type { HttpResponse } from "../http/response.ts";
import { type Html, html } from "./html.ts";
import { style } from "./style.ts";

/** A page, before it is laid out. */
export interface Page {
  readonly title: string;
  /** The stage whose accounts these are, where it is known. */
  readonly stage?: string;
  readonly content: Html;
}

/** A flag on a green, so that no browser asks for an icon that is not there. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='8' fill='%2317643a'/%3E%3Cpath d='M6 3v10M6 3l5 2.2L6 7.5' fill='%23fff' stroke='%23fff'/%3E%3C/svg%3E";

/** Nothing may run, nothing may be fetched, nobody may frame it; the form goes back to where it came from. */
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

/** Answers with a page. */
export function pageAnswer(statusCode: number, { title, stage, content }: Page): HttpResponse {
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
<footer><p>Every request and answer is described in <a href="openapi.json">openapi.json</a>.</p></footer>
</body>
</html>
`;
  return { statusCode, headers, body: markup };
}
