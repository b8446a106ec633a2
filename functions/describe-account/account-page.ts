import * as z from "zod/mini";
import { type Account, type Resource, resources } from "../../core/account/account.ts";
import type { Operation } from "../../core/openapi/operation.ts";
import { operations } from "../../core/openapi/operations.ts";
import { submissionLimits } from "../../core/submission/limits.ts";
import { type Caller, curlExample, noteOf } from "./curl-example.ts";
import { type Html, html } from "./html.ts";

/** What a usage plan lets an account ask for. */
export const planSchema = z.object({
  ratePerSecond: z.number(),
  burst: z.number(),
  requestsPerDay: z.number(),
});

const titles: Record<Resource, string> = {
  clubs: "Clubs",
  courses: "Courses",
  golfer: "Members by number",
  "golfer-by-token": "Members by access token",
  scorecards: "Scorecards",
};

/**
 * What an account may use: each request with an example, and its limits.
 *
 * @param plan its usage plan; undefined where it has none
 */
export function accountPage(
  account: Account,
  base: string,
  plan: z.infer<typeof planSchema> | undefined,
): Html {
  const { username, apiSet } = account;
  const granted = resources.filter((resource) => account.resources.includes(resource));
  const withheld = resources.filter((resource) => !account.resources.includes(resource));
  const caller: Caller = { base, username, apiSet };
  return html`<h1>What ${username} may use</h1>
<p>The examples are for a shell. Each works as it stands; curl asks for your password.</p>
<dl class="card">
<dt>API set</dt><dd><code>${apiSet}</code></dd>
<dt>Base address</dt><dd><code>${base}/${apiSet}</code></dd>
<dt>Credentials</dt><dd>HTTP Basic, with every request</dd>
<dt>Requests</dt><dd>${planText(account, plan)}</dd>
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

/** A number as people write it. Formats of Intl are not made at the start: the first one takes ten milliseconds. */
const written = (number: number) => number.toLocaleString("en");

function planText({ usage }: Account, plan: z.infer<typeof planSchema> | undefined): string {
  if (usage === undefined) return "none: the account has no usage plan yet; the operator can give it one";
  if (plan === undefined) return `by the plan ${usage.plan}`;
  const [rate, burst, daily] = [plan.ratePerSecond, plan.burst, plan.requestsPerDay].map(written);
  return `${rate} a second, ${burst} at once, ${daily} a day (plan ${usage.plan})`;
}

function entry(operation: Operation, caller: Caller): Html {
  const { method, path, summary, description } = operation;
  const note = noteOf(operation);
  return html`<article class="card">
<h3>${summary}</h3>
<p><code><span class="method">${method.toUpperCase()}</span>${path.replace("{apiset}", caller.apiSet)}</code></p>
${description === undefined ? undefined : html`<p class="quiet">${description.replaceAll("`", "")}</p>\n`}${
  note === undefined ? undefined : html`<p class="quiet">${note}</p>\n`
}<pre><code>${curlExample(operation, caller)}</code></pre>
</article>
`;
}
