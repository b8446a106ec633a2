import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { faultCodes, warningCodes } from "../../../../core/scorecard/findings.ts";
import { fields } from "../../../../core/scorecard/scorecard.ts";
import { openApiDocument } from "../../../../functions/http/openapi/document.ts";
import type { Content } from "../../../../functions/http/openapi/operation.ts";
import { schemaOf } from "../../../../functions/http/openapi/operation.ts";
import { operations } from "../../../../functions/http/openapi/operations.ts";
import { goodCards } from "../../../core/scorecard/good-cards.ts";
import { accepted, minimalCard, register, tee, version } from "../../../core/scorecard/sample-cards.ts";

const server = "https://scorecards.example/test";
const document = openApiDocument(server);

/** The document as a client gets it. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects, and fails where it is not there
const sent: any = JSON.parse(JSON.stringify(document));

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema(sent, "openapi");

/** Faults of a value by a schema that may refer to others of the document. */
function faultsOf(schema: object, value: unknown): unknown[] {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'));
  const validate = ajv.compile(absolute);
  return validate(value) ? [] : (validate.errors ?? []);
}

test("the document is OpenAPI 3.1", async () => {
  const validator = new Validator();
  expect(await validator.validate(sent)).toEqual({ valid: true });
  expect(validator.version).toBe("3.1");
});

test("the document names the server that was requested", () => {
  expect(sent.servers).toEqual([{ url: server }]);
});

test("every reference in the document resolves", () => {
  const references = JSON.stringify(sent).match(/(?<="\$ref":")[^"]+/g) ?? [];
  for (const reference of new Set(references)) {
    const found = reference
      .slice(2)
      .split("/")
      .reduce((at, name) => at?.[name], sent);
    expect(found, reference).toBeTypeOf("object");
  }
});

const bodies = operations.flatMap(({ operationId, requestBody }) =>
  Object.values(requestBody?.content ?? {}).flatMap(({ schema, examples }: Content) =>
    Object.entries(examples ?? {}).map(([name, { value }]) => ({ operationId, name, schema, value })),
  ),
);

test.each(bodies)("the example $name of $operationId is valid", ({ schema, value }) => {
  expect(faultsOf(schema, value)).toEqual([]);
});

const parameters = Object.entries<Record<string, object>>(sent.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, operation]) =>
    // biome-ignore lint/suspicious/noExplicitAny: as above
    ((operation as any).parameters as any[])
      .filter(({ example }) => example !== undefined)
      .map(({ name, schema, example }) => ({ request: `${method} ${path}`, name, schema, example })),
  ),
);

test.each(parameters)("the example of $name in $request is valid", ({ schema, example }) => {
  expect(faultsOf(schema, example)).toEqual([]);
});

const unrated = {
  card: minimalCard,
  context: () => ({ courses: register(version({ Tees: [tee({ CourseRating: 0, SlopeRating: 0 })] })) }),
};
const taken = Object.entries({ ...goodCards, "on a tee that is not rated": unrated });

test.each(taken)("a card %s is answered as documented", (_name, { card, context }) => {
  const answered = JSON.parse(JSON.stringify(accepted(card(), context?.()).card));
  expect(faultsOf(schemaOf("FilledScorecard"), answered)).toEqual([]);
});

describe("the document", () => {
  test("every operation is listed once, with its own ID", () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const requests = operations.map(({ method, path }) => `${method} ${path}`);
    expect(new Set(requests).size).toBe(requests.length);
  });

  test("an operation names its path in lower case beside the union's spelling", () => {
    expect(sent.paths["/{apiset}/Clubs/{clubId}"].get.description).toContain(
      "Also `GET /{apiset}/clubs/{clubId}`.",
    );
    expect(sent.paths["/{apiset}/clubs/Golfer_ByAccessToken"].get.description).toContain(
      "Also `GET /{apiset}/clubs/golfer_byaccesstoken`.",
    );
  });

  test("every field of a card and every fault code is listed", () => {
    const { properties } = sent.components.schemas.Scorecard;
    expect(Object.keys(properties)).toEqual(Object.keys(fields.card));
    expect(Object.keys(properties.Course.properties)).toEqual(Object.keys(fields.course));
    expect(Object.keys(properties.Course.properties.Holes.anyOf[0].items.properties)).toEqual(
      Object.keys(fields.hole),
    );
    expect(Object.keys(properties.Round.properties)).toEqual(Object.keys(fields.round));
    expect(Object.keys(properties.Result.properties)).toEqual(Object.keys(fields.result));
    expect(Object.keys(properties.Player.properties)).toEqual(Object.keys(fields.player));
    expect(Object.keys(properties.Marker.properties)).toEqual(Object.keys(fields.marker));
    expect(properties.Result.properties.Strokes).toMatchObject({ type: "array", maxItems: 18 });
  });

  test("the codes of faults and warnings are listed, and clients may meet others", () => {
    const { code } = sent.components.schemas.Finding.properties;
    expect(code["x-extensible-enum"]).toEqual([...faultCodes, ...warningCodes]);
    expect(code).toMatchObject({ type: "string", description: expect.stringContaining("added") });
    expect(code).not.toHaveProperty("enum");
  });

  test("an operation says whether it needs an account and a player's token", () => {
    for (const { path, method, resource } of operations) {
      const { security, responses } = sent.paths[path][method];
      expect(security.length).toBe(resource === undefined ? 0 : 1);
      if (resource !== undefined) {
        expect(Object.keys(responses)).toEqual(expect.arrayContaining(["401", "403", "429", "503"]));
      }
    }
    expect(sent.paths["/{apiset}/clubs/Golfer_ByAccessToken"].get.security).toEqual([
      { vendorAccount: [], playerToken: [] },
    ]);
  });
});
