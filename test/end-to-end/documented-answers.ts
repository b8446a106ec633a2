import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { openApiDocument } from "../../api/document/document.ts";
import type { Operation, Response } from "../../api/operation.ts";
import { operations } from "../../api/operations.ts";
import { withoutOtherMembers } from "../api/document/without-other-members.ts";

/** An answer, as far as the document describes it. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const document = withoutOtherMembers(openApiDocument("http://127.0.0.1/test"));
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema(document, "openapi");

const validators = new Map<string, ValidateFunction>();

/** A reference into the document, from the names on the way. */
const reference = (...names: readonly (string | number)[]) =>
  `#/${names.map((name) => encodeURIComponent(String(name).replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;

function validatorOf(pointer: string): ValidateFunction {
  const known = validators.get(pointer) ?? ajv.compile({ $ref: `openapi${pointer}` });
  validators.set(pointer, known);
  return known;
}

const segmentsOf = (path: string) => path.split("/").filter((segment) => segment !== "");
const isParameter = (segment: string) => segment.startsWith("{");

/** The operation that a request is for; fixed segments come before parameters, in any case. */
function operationFor(method: string, path: string): Operation | undefined {
  const asked = segmentsOf(path.split("?")[0] ?? "");
  return operations
    .filter((operation) => {
      const segments = segmentsOf(operation.path);
      return (
        operation.method.toUpperCase() === method &&
        segments.length === asked.length &&
        segments.every((one, place) => isParameter(one) || one.toLowerCase() === asked[place]?.toLowerCase())
      );
    })
    .sort((one, other) => parametersIn(one) - parametersIn(other))[0];
}

const parametersIn = ({ path }: Operation) => segmentsOf(path).filter(isParameter).length;

/**
 * Checks an answer against the API's own document.
 *
 * @param path below the stage, with its query
 * @throws Error where the status, a header, the content type or the body is not as documented
 */
export function checkDocumented(method: string, path: string, answer: Answer): void {
  // Preflights are the browser's, not a client's: the document does not describe them.
  if (method === "OPTIONS") return;
  const operation = operationFor(method, path);
  const told = `${method} ${path.split("?")[0]} answered ${answer.status}`;
  if (operation === undefined) {
    if (![401, 403, 404].includes(answer.status)) throw new Error(`${told}, and is not in the document.`);
    checkBody(told, answer, reference("components", "schemas", "Problem"), "application/problem+json");
    return;
  }
  const responses = document.paths[operation.path]?.[operation.method] as {
    responses: Record<string, Response | { $ref: string }>;
  };
  const response = responses.responses[answer.status];
  if (response === undefined)
    throw new Error(`${told}, which is not documented: ${answer.text.slice(0, 500)}`);
  const shared = "$ref" in response;
  const { headers, content } = shared
    ? (document.components.responses[response.$ref.split("/").at(-1) ?? ""] as Response)
    : response;
  for (const [name, { required }] of Object.entries(headers ?? {})) {
    if (required === true && !answer.headers.has(name))
      throw new Error(`${told} without the header ${name}.`);
  }
  const types = Object.keys(content ?? {});
  // Where a client may choose, the answer has one of the documented types.
  const type = types.find((one) => answer.headers.get("content-type")?.split(";")[0] === one) ?? types[0];
  if (type === undefined) {
    if (answer.text !== "") throw new Error(`${told} with a body, which is not documented.`);
    return;
  }
  const place = shared
    ? response.$ref
    : reference("paths", operation.path, operation.method, "responses", answer.status);
  checkBody(told, answer, `${place}/${reference("content", type, "schema").slice(2)}`, type);
}

function checkBody(told: string, { headers, text }: Answer, schema: string, wanted: string): void {
  const type = (headers.get("content-type") ?? "").split(";")[0];
  if (type !== wanted)
    throw new Error(`${told} with ${type}; documented is ${wanted}: ${text.slice(0, 500)}`);
  if (!wanted.includes("json")) return;
  const validate = validatorOf(schema);
  if (!validate(JSON.parse(text))) {
    const faults = (validate.errors ?? [])
      .slice(0, 5)
      .map((fault) => `${fault.instancePath} ${fault.message}`);
    throw new Error(
      `${told} with a body that is not as documented: ${faults.join("; ")}: ${text.slice(0, 500)}`,
    );
  }
}
