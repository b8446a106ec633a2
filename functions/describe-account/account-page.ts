import { type Resource, resources, vendorResources } from "../../core/accounts/account.ts";
import { submissionLimits } from "../../core/cards/read-submission.ts";
import { type Html, html } from "../http/page/html.ts";
import { type AccountDocument, written } from "./account-document.ts";

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
