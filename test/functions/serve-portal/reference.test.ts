import { describe, expect, test } from "vitest";
import { openApiDocument } from "../../../api/document/document.ts";
import { operations } from "../../../api/operations.ts";
import { routes } from "../../../api/routes.ts";
import { type ReferenceDocument, referencePage } from "../../../functions/serve-portal/reference/page.ts";
import { inline, renderProse } from "../../../functions/serve-portal/reference/prose.ts";
import { readableJson } from "../../../functions/serve-portal/reference/readable-json.ts";
import { described } from "../../../functions/serve-portal/reference/schema.ts";
import { style } from "../../../functions/serve-portal/reference/style.ts";

const base = "https://scorecards.example/production";
const document = openApiDocument(base) as unknown as ReferenceDocument;
const page = referencePage(document, base);

const ids = Array.from(page.matchAll(/ id="([^"]+)"/g), ([, id = ""]) => id);
const markupOf = (parts: readonly { readonly markup: string }[]) =>
  parts.map(({ markup }) => markup).join("");

/** The article under an id, up to the end of it. */
function article(id: string): string {
  const [, rest = ""] = page.split(`<article id="${id}">`);
  return rest.slice(0, rest.indexOf("</article>"));
}

describe("the reference of the API", () => {
  test("has an article with method and path of every operation", () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { operationId, summary }] of Object.entries(methods)) {
        expect(Object.keys(routes)).toContain(operationId);
        expect(article(operationId)).toContain(
          `<span class="method">${method.toUpperCase()}</span> <code>${path}</code>`,
        );
        expect(page).toContain(`<a href="#${operationId}">${summary.replaceAll("'", "&#39;")}</a>`);
      }
    }
    for (const operationId of Object.keys(routes)) expect(ids).toContain(operationId);
  });

  test("has an article of every event, refusal and schema", () => {
    for (const type of Object.keys(document.webhooks)) expect(page).toContain(`<code>${type}</code> to your`);
    for (const name of Object.keys(document.components.responses)) expect(ids).toContain(`response-${name}`);
    for (const name of Object.keys(document.components.schemas)) expect(ids).toContain(`schema-${name}`);
  });

  test("names every parameter of an operation, every field of a schema and every status of a response", () => {
    for (const methods of Object.values(document.paths)) {
      for (const { operationId, parameters, responses } of Object.values(methods)) {
        const text = article(operationId);
        for (const { name } of parameters) expect(text).toContain(`<code class="name">${name}</code>`);
        for (const status of Object.keys(responses))
          expect(text).toMatch(new RegExp(`>${status}</(code|a)>`));
      }
    }
    for (const [name, { properties = {} }] of Object.entries(document.components.schemas)) {
      for (const field of Object.keys(properties))
        expect(article(`schema-${name}`)).toContain(`<code class="name">${field}</code>`);
    }
  });

  test("has no link within the page that leads nowhere, and no two places of one name", () => {
    const targets = Array.from(page.matchAll(/href="#([^"]+)"/g), ([, id = ""]) => id);
    expect(targets.length).toBeGreaterThan(500);
    expect(new Set(targets).difference(new Set(ids))).toEqual(new Set());
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("has no script, no style but its own, and loads nothing from another host", () => {
    expect(page).toContain(`<style>${style}</style>`);
    expect(page.replace(style, "")).not.toMatch(/<script|<style>[^<]|\sstyle=|\son\w+=|javascript:|\ssrc=/i);
    const linked = Array.from(page.matchAll(/href="([^"#]+)"/g), ([, address = ""]) => address);
    const files = linked.filter((address) => !address.startsWith("data:"));
    expect(new Set(files)).toEqual(new Set(["openapi.json", "portal", "login.aspx"]));
  });

  test("has a command for every request of an account, at the base address", () => {
    for (const { operationId, resource } of operations) {
      const hasCommand = /<pre><code>(?:club=.*\n(?:.*\n)?)?curl --user &#39;greens-app&#39; /.test(
        article(operationId),
      );
      expect([operationId, hasCommand]).toEqual([operationId, resource !== undefined]);
    }
    expect(article("listClubs")).toContain("&#39;https://scorecards.example/production/greens-app/Clubs");
    expect(article("withdrawScorecard")).toContain("--request DELETE");
  });

  test("says which authorization a request needs", () => {
    expect(article("listClubs")).toContain("Authorization: <code>vendorAccount</code></p>");
    const both = "Authorization: <code>vendorAccount</code> and <code>playerToken</code></p>";
    expect(article("getGolferByAccessToken")).toContain(both);
    expect(article("showPortal")).toContain("Needs no account.");
  });
});

describe("a description", () => {
  test("becomes paragraphs and lists, with code and bold", () => {
    expect(markupOf(renderProse("Says `a`.\n\n- **One.** First\n  line\n- two"))).toBe(
      "<p>Says <code>a</code>.</p><ul><li><strong>One.</strong> First\n  line</li><li>two</li></ul>",
    );
  });

  test("is text: its angle brackets and quotes are no markup, in code neither", () => {
    expect(markupOf(inline('<b>"x"</b> `<script>`'))).toBe(
      "&lt;b&gt;&quot;x&quot;&lt;/b&gt; <code>&lt;script&gt;</code>",
    );
  });

  test("has no other Markdown in the whole document, such as links", () => {
    const texts: string[] = [];
    JSON.stringify(document, (name, value) => {
      if ((name === "description" || name === "summary") && typeof value === "string") texts.push(value);
      return value;
    });
    expect(texts.length).toBeGreaterThan(400);
    for (const text of texts) {
      expect(text).not.toMatch(/\]\(|^#|^\d+\. |^ *\* /m);
      expect(text.split("`").length % 2).toBe(1);
    }
  });
});

test.each([
  [{ type: "string", minLength: 1, maxLength: 3 }, "string", "1 to 3 characters"],
  [{ type: ["integer", "null"], minimum: 0 }, "integer or null", "at least 0"],
  [{ anyOf: [{ type: "integer" }, { type: "string" }] }, "integer or string", ""],
  [{ type: "array", items: { $ref: "#/components/schemas/Hole" }, maxItems: 18 }, "Hole", "at most 18"],
  [{ enum: ["a", "b"] }, "one of", "&quot;b&quot;"],
  [{ type: "string", "x-extensible-enum": ["a"] }, "string", "others may be added"],
  [{ type: "object", additionalProperties: { type: "integer" } }, "object of integer", ""],
  [{ const: 422 }, "422", ""],
  [{ type: "string", not: { enum: ["."] } }, "string", "not <code>&quot;.&quot;</code>"],
  [{}, "any value", ""],
])("a schema %j is described as %s", (schema, type, bounds) => {
  const text = described(schema).markup;
  expect(text.replaceAll(/<\/?(a|span|code)[^>]*>/g, "")).toContain(type);
  expect(text).toContain(bounds);
});

test("the fields of an object without a name are listed where it stands, also in a list", () => {
  const fields = { type: "object", properties: { hole: { type: "integer" } }, required: ["hole"] };
  for (const schema of [
    fields,
    { type: "array", items: fields },
    { type: "array", items: { type: "array", items: fields } },
  ])
    expect(described(schema).markup).toContain('<code class="name">hole</code> <span class="required">');
});

test("an example has the strokes of a round in one line", () => {
  expect(readableJson({ Strokes: [5, 4, null], Holes: [{ Number: 1 }], None: [], left: undefined })).toBe(
    '{\n  "Strokes": [5, 4, null],\n  "Holes": [\n    {\n      "Number": 1\n    }\n  ],\n  "None": []\n}',
  );
  const nested = { a: [[1, 2], { b: ['"'] }], c: {} };
  expect(JSON.parse(readableJson(nested))).toEqual(nested);
});
