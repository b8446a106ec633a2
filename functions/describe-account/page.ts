import { type Html, html } from "../http/page/html.ts";
import { icon, scriptlessPageHeaders } from "../http/page/page-head.ts";
import type { HttpResponse } from "../http/response.ts";
import { style } from "./style.ts";

/** The content of a page. */
export interface AccountPage {
  readonly title: string;
  /** Absent if the request could not be read. */
  readonly stage?: string;
  readonly content: Html;
}

const headers = scriptlessPageHeaders(style);

/** A response with a page. */
export function pageResponse(statusCode: number, { title, stage, content }: AccountPage): HttpResponse {
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
<footer><p>Every request and response is described in the <a href="reference">reference</a>, and for programs in <a href="openapi.json">openapi.json</a>.</p></footer>
</body>
</html>
`;
  return { statusCode, headers, body: markup };
}
