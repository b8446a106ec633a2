import { type Resource, resources, vendorResources } from "../../core/accounts/account.ts";
import { submissionLimits } from "../../core/cards/read-submission.ts";
import { baseStyle } from "../http/page/base-style.ts";
import { type Html, html } from "../http/page/html.ts";
import { icon, scriptlessPageHeaders } from "../http/page/page-head.ts";
import type { HttpResponse } from "../http/response.ts";
import { type AccountDocument, written } from "./account-document.ts";

/** The style of the login page and of what an account may use. */
const style = `${baseStyle}
form { max-width: 24rem; }
label { display: block; font-weight: 600; margin-bottom: .3rem; }
input { display: block; width: 100%; font: inherit; color: inherit; background: var(--page); padding: .65rem .75rem; margin-bottom: 1.1rem; border: 1px solid var(--quiet); border-radius: .4rem; }
button { font: inherit; font-weight: 650; color: var(--on-accent); background: var(--accent); border: 1px solid transparent; border-radius: .4rem; padding: .65rem 1.5rem; min-height: 2.75rem; cursor: pointer; }
button:hover { filter: brightness(1.08); }
.fault { max-width: 24rem; border: 1px solid var(--fault); border-left-width: .3rem; border-radius: .4rem; background: var(--fault-ground); color: var(--fault); padding: .75rem 1rem; margin: 0 0 1.25rem; font-weight: 600; }
.fault:focus { outline: 3px solid var(--fault); outline-offset: 2px; }
@media (max-width: 32rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .6rem; } .card { padding: 1rem; } }
@media (forced-colors: active) { .fault, input, button { border-color: CanvasText; } }
`;

/** The content of a page. */
interface AccountPage {
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

const titles: Record<Resource, string> = {
  clubs: "Clubs",
  courses: "Courses",
  golfer: "Members by number",
  "golfer-by-token": "Members by access token",
  scorecards: "Scorecards",
  records: "Players' records",
  "scorecards:read": "Scorecards, to read",
  operations: "Operations",
};

/** The page with an account's requests, an example of each, and its limits. */
export function accountPage(account: AccountDocument): Html {
  const { username, apiSet, base, requests, operations } = account;
  const granted = resources.filter((resource) => account.resources.includes(resource));
  const withheld = vendorResources.filter((resource) => !account.resources.includes(resource));
  return html`<h1>What ${username} may use</h1>
<p>The examples are for a shell; curl asks for your password. Each works as it stands, unless a note says what to put in.</p>
<dl class="card">
<dt>Base address</dt><dd><code>${base}</code></dd>
<dt>API set</dt><dd><code>${apiSet}</code></dd>
<dt>Vendor address</dt><dd><code>${base}/${apiSet}</code></dd>
<dt>Credentials</dt><dd>HTTP Basic, with every request</dd>
<dt>Requests</dt><dd>${requests}</dd>
<dt>A submission</dt><dd>${written(submissionLimits.cards)} scorecards and ${submissionLimits.bytes / 2 ** 20} MiB, plain or gzipped</dd>
${withheld.length > 0 ? html`<dt>Not granted</dt><dd>${withheld.map((resource) => titles[resource]).join(", ")}; the operator can grant it</dd>` : undefined}
</dl>
<nav aria-label="Resources"><ul>
${granted.map((resource) => html`<li><a href="#${resource}">${titles[resource]}</a></li>\n`)}<li><a href="login.aspx">Another account</a></li>
</ul></nav>
${granted.map(
  (resource) => html`<section aria-labelledby="${resource}">
<h2 id="${resource}">${titles[resource]}</h2>
${operations.filter((operation) => operation.resource === resource).map(entry)}
</section>
`,
)}`;
}

const entry = ({
  method,
  path,
  summary,
  description,
  note,
  example,
}: AccountDocument["operations"][number]) =>
  html`<article class="card">
<h3>${summary}</h3>
<p><code><span class="method">${method}</span>${path}</code></p>
<p class="quiet">${description.replaceAll("`", "")}</p>
${note === undefined ? undefined : html`<p class="quiet">${note}</p>\n`}<pre><code>${example}</code></pre>
</article>
`;
