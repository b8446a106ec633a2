import * as z from "zod/mini";
import { type Caller, curlExample, findNote } from "../../api/document/curl-example.ts";
import type { ShownOperation } from "../../api/document/shown-operations.ts";
import { type Resource, resources, vendorResources } from "../../api/routes.ts";
import type { Account } from "../../core/accounts/account.ts";
import { submissionLimits } from "../../core/cards/read-submission.ts";
import { type Html, html } from "../http/page/html.ts";

/** Rate limit and burst of requests. */
export const throttlingSchema = z.object({ ratePerSecond: z.number(), burst: z.number() });

/** Limits of a usage plan. */
export const planSchema = z.extend(throttlingSchema, { requestsPerDay: z.number() });

/** The limits of an account's requests. */
export interface RequestLimits {
  /** Its usage plan; undefined if it has none. */
  readonly plan: z.infer<typeof planSchema> | undefined;
  /** The stage's limit of each request, for all accounts together. */
  readonly throttling: z.infer<typeof throttlingSchema>;
}

const titles: Record<Resource, string> = {
  clubs: "Clubs",
  courses: "Courses",
  golfer: "Members by number",
  "golfer-by-token": "Members by access token",
  scorecards: "Scorecards",
  records: "Players' records",
  operations: "Operations",
};

/** The page with an account's requests, an example of each, and its limits. */
export function accountPage(
  account: Account,
  base: string,
  limits: RequestLimits,
  operations: readonly ShownOperation[],
): Html {
  const { username, apiSet } = account;
  const granted = resources.filter((resource) => account.resources.includes(resource));
  const withheld = vendorResources.filter((resource) => !account.resources.includes(resource));
  const caller: Caller = { base, username, apiSet };
  return html`<h1>What ${username} may use</h1>
<p>The examples are for a shell; curl asks for your password. Each works as it stands, unless a note says what to put in.</p>
<dl class="card">
<dt>Base address</dt><dd><code>${base}</code></dd>
<dt>API set</dt><dd><code>${apiSet}</code></dd>
<dt>Vendor address</dt><dd><code>${base}/${apiSet}</code></dd>
<dt>Credentials</dt><dd>HTTP Basic, with every request</dd>
<dt>Requests</dt><dd>${requestsText(account, limits)}</dd>
<dt>A submission</dt><dd>${written(submissionLimits.cards)} scorecards and ${submissionLimits.bytes / 2 ** 20} MiB, plain or gzipped</dd>
${withheld.length > 0 ? html`<dt>Not granted</dt><dd>${withheld.map((resource) => titles[resource]).join(", ")}; the operator can grant it</dd>` : undefined}
</dl>
<nav aria-label="Resources"><ul>
${granted.map((resource) => html`<li><a href="#${resource}">${titles[resource]}</a></li>\n`)}<li><a href="login.aspx">Another account</a></li>
</ul></nav>
${granted.map(
  (resource) => html`<section aria-labelledby="${resource}">
<h2 id="${resource}">${titles[resource]}</h2>
${operations.filter((operation) => operation.resource === resource).map((operation) => entry(operation, caller))}
</section>
`,
)}`;
}

// Not a shared Intl.NumberFormat: creating one would add ten milliseconds to each cold start.
const written = (number: number) => number.toLocaleString("en");

/** An account's limit of requests, in words. The lower limit applies: a plan may allow more than the stage does of one request. */
export function requestsText({ usage }: Account, { plan, throttling }: RequestLimits): string {
  if (usage === undefined) return "none: the account has no usage plan yet; the operator can give it one";
  if (plan === undefined) return `by the plan ${usage.plan}`;
  const rate = Math.min(plan.ratePerSecond, throttling.ratePerSecond);
  const burst = Math.min(plan.burst, throttling.burst);
  const each = `${written(rate)} a second, ${written(burst)} at once`;
  const all = `${written(plan.ratePerSecond)} a second, ${written(plan.burst)} at once`;
  const daily = `${written(plan.requestsPerDay)} a day (plan ${usage.plan})`;
  if (each === all) return `${all}, ${daily}`;
  return `${each} of each request below, shared with other accounts; ${all} of all of them; ${daily}`;
}

function entry(operation: ShownOperation, caller: Caller): Html {
  const { method, path, summary, description } = operation;
  const note = findNote(operation);
  return html`<article class="card">
<h3>${summary}</h3>
<p><code><span class="method">${method.toUpperCase()}</span>${path.replace("{apiset}", caller.apiSet)}</code></p>
<p class="quiet">${description.replaceAll("`", "")}</p>
${
  note === undefined ? undefined : html`<p class="quiet">${note}</p>\n`
}<pre><code>${curlExample(operation, caller)}</code></pre>
</article>
`;
}
