import { curlExample, findNote } from "../../../api/document/curl-example.ts";
import { exampleApiSet } from "../../../api/examples.ts";
import type { Content, Parameter, Response } from "../../../api/operation.ts";
import { operations } from "../../../api/operations.ts";
import { type Html, html } from "../../http/page/html.ts";
import { icon } from "../../http/page/page-head.ts";
import { inline, renderProse } from "./prose.ts";
import { readableJson } from "./readable-json.ts";
import { described, fieldOf, fieldsOf, type Schema, schemaId } from "./schema.ts";
import { style } from "./style.ts";

/** A request in the OpenAPI document: to the API, or from it to an endpoint. */
interface DescribedOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters: readonly Parameter<Schema>[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content<Schema>>> };
  readonly responses: Readonly<Record<string, Response<Schema> | { readonly $ref: string }>>;
}

type Methods = Readonly<Record<string, DescribedOperation>>;

/** What the reference shows of the OpenAPI document. */
export interface ReferenceDocument {
  readonly info: { readonly title: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Methods>>;
  readonly webhooks: Readonly<Record<string, Methods>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response<Schema>>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
  };
}

/** An operation with its method and its path, or a webhook's event with its type. */
interface Entry {
  readonly method: string;
  readonly address: string;
  readonly operation: DescribedOperation;
}

const listEntries = (paths: Readonly<Record<string, Methods>>): Entry[] =>
  Object.entries(paths).flatMap(([address, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      address,
      operation,
    })),
  );

const refusalId = (name: string) => `response-${name}`;
const toStatus = (refusal: string) => refusal.replace("Refusal", "");

/**
 * The reference of the API as a page: all requests, events, refusals and schemas of the OpenAPI document. It needs no script.
 *
 * @param base base address for the examples, with the stage, without a slash at its end
 */
export function referencePage(document: ReferenceDocument, base: string): string {
  const requests = listEntries(document.paths);
  const events = listEntries(document.webhooks);
  const sections = document.tags
    .map((tag) => ({ ...tag, entries: requests.filter(({ operation }) => operation.tags[0] === tag.name) }))
    .filter(({ entries }) => entries.length > 0)
    .sort((one, other) => rank(one.name) - rank(other.name));
  const { schemas, responses, securitySchemes } = document.components;
  const schemaNames = Object.keys(schemas).sort((one, other) => one.localeCompare(other, "en"));

  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · ${document.info.title}</title>
<link rel="icon" href="${icon}">
<style>${{ markup: style }}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><p>${document.info.title}</p><p class="stage"><a href="openapi.json">openapi.json</a></p></header>
<main>
<nav class="contents" aria-label="Contents">
<ul>
<li><a href="#content">Overview</a></li>
${sections.map(
  ({ name, entries }) =>
    html`<li><a href="#section-${name}">${toTitle(name)}</a>
<ul>${entries.map(linkTo)}</ul></li>
`,
)}<li><a href="#section-events">Events</a>
<ul>${events.map(linkTo)}</ul></li>
<li><a href="#section-refusals">Refusals</a></li>
<li><a href="#section-schemas">Schemas</a></li>
</ul>
</nav>
<div>
<section id="content" tabindex="-1">
<h1>API reference</h1>
<p>Base address: <code>${base}</code></p>
${renderProse(document.info.description)}
<h2>Authorization</h2>
<ul>${Object.entries(securitySchemes).map(([name, scheme]) => html`<li><code>${name}</code>: ${inline(scheme.description)}</li>`)}</ul>
</section>
${sections.map(
  ({ name, description, entries }) => html`<section aria-labelledby="section-${name}">
<h2 id="section-${name}">${toTitle(name)}</h2>
${renderProse(description)}
<ul class="index">${entries.map(linkTo)}</ul>
${entries.map((entry) => requestArticle(entry, base))}
</section>
`,
)}
<section aria-labelledby="section-events">
<h2 id="section-events">Events</h2>
<p>What is posted to a webhook endpoint, and listed by the feed.</p>
<ul class="index">${events.map(linkTo)}</ul>
${events.map(eventArticle)}
</section>
<section aria-labelledby="section-refusals">
<h2 id="section-refusals">Refusals</h2>
<p>Any request that its own responses do not settle gets one of these.</p>
${Object.entries(responses).map(
  ([name, response]) => html`<article id="${refusalId(name)}">
<h3>${toStatus(name)}</h3>
<p>${inline(response.description)}</p>
${bodyAndHeaders(response)}
</article>
`,
)}
</section>
<section aria-labelledby="section-schemas">
<h2 id="section-schemas">Schemas</h2>
<ul class="names">${schemaNames.map((name) => html`<li><a href="#${schemaId(name)}">${name}</a></li>`)}</ul>
${schemaNames.map((name) => schemaArticle(name, schemas[name] ?? {}))}
</section>
</div>
</main>
<footer><p>For programs: <a href="openapi.json">openapi.json</a>. For people: <a href="portal">the portal</a>, and <a href="login.aspx">what your account may use</a>.</p></footer>
</body>
</html>
`.markup;
}

/** What most readers come for is first, and what needs no account, mostly pages for people, is last. */
const rank = (tag: string) => (tag === "scorecards" ? 0 : tag === "open" ? 2 : 1);

const toTitle = (tag: string) => tag.charAt(0).toUpperCase() + tag.slice(1).replaceAll("-", " ");

const linkTo = ({ operation }: Entry): Html =>
  html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>
`;

function requestArticle({ method, address, operation }: Entry, base: string): Html {
  const shared = Object.entries(operation.responses).flatMap(([status, response]) =>
    "$ref" in response ? [{ status, name: response.$ref.slice(response.$ref.lastIndexOf("/") + 1) }] : [],
  );
  return html`<article id="${operation.operationId}">
<h3>${operation.summary}</h3>
<p class="address"><span class="method">${method}</span> <code>${address}</code></p>
${renderProse(operation.description)}
<p class="quiet">${describeAuthorization(operation)}</p>
${describeParameters(operation)}
${describeRequestBody(operation)}
${showCommand(operation, base)}
${describeResponses(operation)}
<p class="quiet">Also ${shared.map(
    ({ status, name }, place) => html`${place > 0 ? ", " : ""}<a href="#${refusalId(name)}">${status}</a>`,
  )}.</p>
</article>
`;
}

function describeAuthorization({ security }: DescribedOperation): Html {
  const schemes = security.flatMap((requirement) => Object.keys(requirement));
  if (schemes.length === 0) return html`Needs no account.`;
  return html`Authorization: ${schemes.map((name, place) => html`${place > 0 ? " and " : ""}<code>${name}</code>`)}`;
}

function eventArticle({ address, operation }: Entry): Html {
  return html`<article id="${operation.operationId}">
<h3>${operation.summary}</h3>
<p class="address"><span class="method">POST</span> <code>${address}</code> to your endpoint</p>
${renderProse(operation.description)}
${describeParameters(operation)}
${describeRequestBody(operation)}
${describeResponses(operation)}
</article>
`;
}

const placeNames = { path: "in the path", query: "in the query", header: "a header" };

/** A parameter or a header in a list. @param place where it is, in words */
function parameterField(
  { name, required, description, schema, example }: Omit<Parameter<Schema>, "in">,
  place: string,
): Html {
  const shown = example === undefined ? undefined : html` E.g. <code>${String(example)}</code>`;
  const about = html`<span class="quiet">${place}</span> ${described(schema)}<br>${inline(description)}${shown}`;
  return fieldOf(name, required === true, about);
}

function describeParameters({ parameters }: DescribedOperation): Html | undefined {
  if (parameters.length === 0) return undefined;
  return html`<h4>Parameters</h4>
<ul class="fields">${parameters.map((parameter) => parameterField(parameter, placeNames[parameter.in]))}</ul>`;
}

function describeRequestBody({ requestBody }: DescribedOperation): Html | undefined {
  if (requestBody === undefined) return undefined;
  return html`<h4>Body</h4>
${describeBodies(requestBody.content)}`;
}

function describeResponses({ responses }: DescribedOperation): Html | undefined {
  const own = Object.entries(responses).flatMap(([status, response]) =>
    "$ref" in response ? [] : [{ status, response }],
  );
  if (own.length === 0) return undefined;
  return html`<h4>Responses</h4>
<ul class="fields">${own.map(
    ({ status, response }) =>
      html`<li><code class="name">${status}</code> ${inline(response.description)}${bodyAndHeaders(response)}</li>
`,
  )}</ul>`;
}

function bodyAndHeaders({ headers = {}, content = {} }: Response<Schema>): Html {
  const named = Object.entries(headers).map(([name, header]) =>
    parameterField({ name, ...header }, "header"),
  );
  return html`${describeBodies(content)}${named.length === 0 ? undefined : html`<ul class="fields">${named}</ul>`}`;
}

function describeBodies(content: Readonly<Record<string, Content<Schema>>>): Html[] {
  return Object.entries(content).map(([contentType, { schema, example, examples = {} }]) => {
    const named = Object.values(examples).map(({ summary, value }) =>
      showExample(`Example: ${summary}`, value),
    );
    const unnamed = example === undefined ? [] : [showExample("Example", example)];
    return html`<div><code>${contentType}</code>: ${described(schema)}${[...unnamed, ...named]}</div>`;
  });
}

const showExample = (title: string, value: unknown): Html =>
  html`<details><summary>${title}</summary><pre><code>${readableJson(value)}</code></pre></details>`;

/** The request as a command, if it needs an account: the same as on the account's own page. */
function showCommand({ operationId }: DescribedOperation, base: string): Html | undefined {
  const operation = operations.find((one) => one.operationId === operationId && one.resource !== undefined);
  if (operation === undefined) return undefined;
  const caller = { base, username: exampleApiSet, apiSet: exampleApiSet };
  const note = findNote(operation);
  return html`<h4>Command</h4>
<pre><code>${curlExample(operation, caller)}</code></pre>
${note === undefined ? undefined : html`<p class="quiet">${note}</p>`}`;
}

function schemaArticle(name: string, schema: Schema): Html {
  const fields = fieldsOf(schema);
  const { description } = schema;
  return html`<article id="${schemaId(name)}">
<h3>${name}</h3>
${fields === undefined ? html`<p>${described(schema)}</p>` : html`${description === undefined ? undefined : html`<p>${inline(description)}</p>`}${fields}`}
</article>
`;
}
