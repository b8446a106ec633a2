import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openApiDocument } from "../../../api/document/document.ts";
import type { Content, Operation, Parameter } from "../../../api/operation.ts";
import type { OperationId } from "../../../api/routes.ts";
import type { JsonSchema } from "../../../api/schema.ts";
import { cardAbroad, fullCard, type Json, minimalCard } from "../../core/golf/sample-cards.ts";
import { proofSize } from "../../proofs/proof-seed.ts";
import { spoilt, valuesOf } from "./arbitrary-values.ts";
import { brokenRules, documentedSpelling, isBeyondSchema, type TypedRequest } from "./beyond-schema.ts";
import { readRequest, type SentRequest, today } from "./read-request.ts";

/** The document as a client gets it. */
const document: Json = JSON.parse(JSON.stringify(openApiDocument("http://127.0.0.1/test")));
const ajv = new Ajv2020({
  strict: false,
  formats: {
    date: /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$/,
    // Times of requests have a pattern.
    "date-time": true,
  },
});
ajv.addSchema(document, "openapi");

const resolve = ({ $ref }: JsonSchema): JsonSchema =>
  String($ref)
    .slice(2)
    .split("/")
    .reduce((at, name) => at[name], document);

const validators = new Map<JsonSchema, (value: unknown) => boolean>();
function isValid(schema: JsonSchema, value: unknown): boolean {
  const known =
    validators.get(schema) ?? ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')));
  validators.set(schema, known);
  return known(value);
}

interface Described extends Omit<Operation, "parameters"> {
  readonly parameters: readonly Parameter[];
}

const operations: Described[] = Object.values<Json>(document.paths).flatMap((methods) =>
  Object.values<Json>(methods),
);
/** Another vendor's API set is another matter. */
const chosen = ({ parameters }: Described) => parameters.filter(({ name }) => name !== "apiset");
const withInput = operations.filter((one) => chosen(one).length > 0 || one.requestBody !== undefined);

const contentOf = ({ requestBody }: Described): [type: string, content: Content] | undefined =>
  Object.entries(requestBody?.content ?? {})[0];

/** Values of a request by the names of its parameters; the body has none. */
type Values = Readonly<Record<string, unknown>>;
const bodyName = "";

interface Part {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly in: Parameter["in"] | "body";
  readonly examples: readonly unknown[];
}

const sampleBodies: Partial<Record<OperationId, readonly unknown[]>> = {
  validateScorecards: [[minimalCard()], [fullCard()], [cardAbroad()]],
  submitScorecards: [[minimalCard()], [fullCard()], [cardAbroad()]],
  submitExchangedScorecards: [[minimalCard()], [fullCard()], [cardAbroad()]],
  createWebhook: [{ url: "https://scores.example.com/webhooks" }],
  changeWebhook: [
    { url: "https://scores.example.com/webhooks", headers: { "X-Api-Key": "one" } },
    { headers: { TE: "one" } },
    { headers: { "X-Api-Key": "one", "x-api-key": "other" } },
    { headers: Object.fromEntries(Array.from("abcde", (name) => [name, "1".repeat(400)])) },
  ],
};

function partsOf(operation: Described): Part[] {
  const parameters = chosen(operation).map(({ name, schema, required = false, in: place, example }) => ({
    name,
    schema,
    required,
    in: place,
    examples: example === undefined ? [] : [example],
  }));
  const [, content] = contentOf(operation) ?? [];
  if (content === undefined) return parameters;
  const examples = sampleBodies[operation.operationId] ?? [];
  const required = operation.requestBody?.required ?? false;
  return [...parameters, { name: bodyName, schema: content.schema, required, in: "body", examples }];
}

const valuesOfPart = (part: Part) => {
  const { schema, examples } = part;
  return fc.oneof(
    {
      weight: 2,
      arbitrary: valuesOf(schema, resolve).filter(
        (value) => isValid(schema, value) && canBeSent(part, value),
      ),
    },
    ...examples.map((example) => ({ weight: 1, arbitrary: fc.constant(example) })),
  );
};

function validValues(parts: readonly Part[]): fc.Arbitrary<Values> {
  const required = parts.filter((part) => part.required).map(({ name }) => name);
  const all = parts.map((part) => [part.name, valuesOfPart(part)] as const);
  // Many parameters exclude each other: a request has one or two of them more often than all.
  const optional = parts.map(({ name }) => name).filter((name) => !required.includes(name));
  return fc
    .subarray(optional, { maxLength: Math.min(3, optional.length) })
    .chain((others) =>
      fc.record(Object.fromEntries(all.filter(([name]) => [...required, ...others].includes(name)))),
    );
}

/**
 * An empty segment makes another path, as do a folder and an operation, a header has printable signs without spaces around them, and the document does not say what a
 * parameter means that is repeated and no list.
 */
function canBeSent({ in: place, schema }: Part, value: unknown): boolean {
  if (place === "path") return !["", ".", "..", "Validate", "validate"].includes(asText(value));
  if (place === "query") return !Array.isArray(value) || schema.type === "array";
  return place !== "header" || /^([!-~]([ -~]*[!-~])?)?$/.test(asText(value));
}

/** Values of which one is nearly right, or missing. */
function nearlyValidValues(parts: readonly Part[]): fc.Arbitrary<Values> {
  return fc.tuple(validValues(parts), fc.constantFrom(...parts)).chain(([values, part]) => {
    const { [part.name]: value, ...rest } = values;
    const before = value === undefined ? valuesOfPart(part) : fc.constant(value);
    const changed = before
      .chain((one) => spoilt(one))
      .filter((other) => canBeSent(part, other))
      .map((other) => ({ ...rest, [part.name]: other }));
    return part.required && part.in === "query"
      ? fc.oneof({ weight: 5, arbitrary: changed }, { weight: 1, arbitrary: fc.constant(rest) })
      : changed;
  });
}

/** A value as a text of a URL or a header. */
const asText = (value: unknown) => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

function send(operation: Described, parts: readonly Part[], values: Values): SentRequest {
  const [type] = contentOf(operation) ?? [];
  const of = (place: Part["in"]) =>
    parts.filter((part) => part.in === place && values[part.name] !== undefined);
  const texts = (value: unknown) => (Array.isArray(value) ? value.map(asText) : [asText(value)]);
  const query = of("query")
    .map(({ name }) => [name, texts(values[name])] as const)
    .filter(([, sent]) => sent.length > 0);
  const headers = of("header").map(({ name }) => [name, asText(values[name])]);
  const body = values[bodyName];
  return {
    operationId: operation.operationId,
    path: Object.fromEntries([
      ["apiset", "greens-app"],
      ...of("path").map(({ name }) => [name, asText(values[name])]),
    ]),
    query: Object.fromEntries(query),
    headers: Object.fromEntries([...headers, ...(type === undefined ? [] : [["Content-Type", type]])]),
    ...(type !== undefined &&
      body !== undefined && { body: type.includes("json") ? JSON.stringify(body) : formOf(body) }),
  };
}

function formOf(body: unknown): string {
  if (typeof body !== "object" || body === null) return asText(body);
  return new URLSearchParams(Object.entries(body).map(([name, value]) => [name, asText(value)])).toString();
}

/** What a part of a request is by the document's types, once it has been sent. */
function received({ in: place, name, schema }: Part, request: SentRequest): unknown {
  const type = [schema.type].flat();
  if (place === "query") {
    const sent = request.query[name];
    if (sent === undefined || type.includes("array")) return sent;
    const [text = ""] = sent;
    if (sent.length > 1) return sent;
    return type.includes("boolean") && /^(true|false)$/.test(text) ? text === "true" : text;
  }
  if (place === "path") return request.path[name];
  if (place === "header") return request.headers[name];
  if (request.body === undefined) return undefined;
  if (request.headers["Content-Type"]?.includes("json")) return JSON.parse(request.body);
  return Object.fromEntries(new URLSearchParams(request.body));
}

interface Expectation {
  readonly isTaken: boolean;
  readonly why: string;
}

/** Whether a request is to be taken, by the document and by what it says in words. */
function expected(operationId: OperationId, parts: readonly Part[], request: SentRequest): Expectation {
  const typed: Record<string, unknown> = {};
  const invalid: string[] = [];
  for (const part of parts) {
    const value = received(part, request);
    if (value === undefined) {
      if (part.required) invalid.push(`${part.name} is missing`);
      continue;
    }
    const [text] = request.query[part.name] ?? [];
    const isSpelled = part.in === "query" && text !== undefined && !isValid(part.schema, value);
    const documented = isSpelled ? documentedSpelling(part.name, text, part.schema) : value;
    if (documented === undefined) continue;
    typed[part.name] = documented;
    if (!isValid(part.schema, documented)) invalid.push(`${part.name} is invalid`);
  }
  if (invalid.length > 0) return { isTaken: false, why: invalid.join(", ") };
  const { [bodyName]: body, ...parameters } = typed;
  const broken = brokenRules({ operationId, parameters, body } as TypedRequest, today);
  return broken.length > 0
    ? { isTaken: false, why: `not so: ${broken.join(", ")}` }
    : { isTaken: true, why: "valid by the document" };
}

/** Statuses of a request that cannot be read. */
const refusals = [400, 413, 415];

const counts = { taken: 0, refused: 0 };

async function checkRequest(operation: Described, parts: readonly Part[], values: Values): Promise<void> {
  const request = send(operation, parts, values);
  const { isTaken, why } = expected(operation.operationId, parts, request);
  const { status, faults } = await readRequest(request);
  expect(status, `for ${JSON.stringify(request)}`).toBeLessThan(500);
  const ofForm = faults.filter((fault) => !isBeyondSchema(fault));
  const wasTaken = !refusals.includes(status) && ofForm.length === 0;
  const said = `${status} ${JSON.stringify(ofForm)} for ${JSON.stringify(request)}, which is ${why}`;
  expect(wasTaken ? "taken" : "refused", said).toBe(isTaken ? "taken" : "refused");
  counts[isTaken ? "taken" : "refused"]++;
}

/** A card with one fault says enough, and making it smaller would take minutes. */
const runs = { endOnFailure: true };
const numRuns = 15 * proofSize;

describe.each(withInput)("$operationId", (operation) => {
  const parts = partsOf(operation);

  test("takes what its schema takes", async () => {
    await fc.assert(
      fc.asyncProperty(validValues(parts), (values) => checkRequest(operation, parts, values)),
      { ...runs, numRuns },
    );
  });

  test("refuses what its schema refuses", async () => {
    await fc.assert(
      fc.asyncProperty(nearlyValidValues(parts), (values) => checkRequest(operation, parts, values)),
      { ...runs, numRuns: 3 * numRuns },
    );
  });
});

test("requests of both ways have been made", () => {
  expect(counts.taken).toBeGreaterThanOrEqual(250 * proofSize);
  expect(counts.refused).toBeGreaterThanOrEqual(250 * proofSize);
});
