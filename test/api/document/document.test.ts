import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { openApiDocument } from "../../../api/document/document.ts";
import type { ToldEndpoint } from "../../../api/events.ts";
import type { Content } from "../../../api/operation.ts";
import { operations } from "../../../api/operations.ts";
import { address } from "../../../api/schema.ts";
import type { StoredCard } from "../../../core/cards/life/card.ts";
import { happenings } from "../../../core/cards/life/happened.ts";
import { pausedBy } from "../../../core/cards/status.ts";
import { faultCodes, warningCodes } from "../../../core/golf/findings.ts";
import { fields } from "../../../core/golf/scorecard.ts";
import { eventTypes } from "../../../core/webhooks/endpoint.ts";
import {
  bodyOf,
  createEvent,
  eventsOfBreaker,
  eventsOfChange,
  type WebhookEvent,
} from "../../../core/webhooks/event.ts";
import { goodCards } from "../../core/golf/good-cards.ts";
import { accepted, minimalCard } from "../../core/golf/sample-cards.ts";
import { register, tee, version } from "../../core/golf/sample-courses.ts";
import { green, storedCard } from "../../core/memory/stored-card.ts";
import { withoutOtherMembers } from "./without-other-members.ts";

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

test("api/openapi.json, which is reviewed and which clients are made of, is the document: else run this with --update", async () => {
  const text = `${JSON.stringify(openApiDocument("https://HOST/STAGE"), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot("../../../api/openapi.json");
});

test("the document names the server that was requested, with its stage as a variable", () => {
  const [{ url, variables }] = sent.servers;
  expect(url.replace("{stage}", variables.stage.default)).toBe(server);
  expect(variables.stage.enum).toEqual(["production", "test"]);
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
  expect(faultsOf({ $ref: address("FilledScorecard") }, answered)).toEqual([]);
});

describe("the document", () => {
  test("a submission leads to what can be done with a card, a new webhook to what can be done with it, and each link fits its operation", () => {
    const described = Object.values<Record<string, object>>(sent.paths).flatMap((methods) =>
      // biome-ignore lint/suspicious/noExplicitAny: as above
      Object.values<any>(methods),
    );
    const byId = new Map(described.map((operation) => [operation.operationId, operation]));
    const found: string[] = [];
    for (const { operationId: from, responses } of described) {
      // biome-ignore lint/suspicious/noExplicitAny: as above
      for (const { links = {} } of Object.values<any>(responses)) {
        // biome-ignore lint/suspicious/noExplicitAny: as above
        for (const { operationId, parameters } of Object.values<any>(links)) {
          found.push(`${from} ${operationId}`);
          const inPath = byId.get(operationId).parameters.filter((one: { in: string }) => one.in === "path");
          expect(Object.keys(parameters)).toEqual(inPath.map(({ name }: { name: string }) => name));
        }
      }
    }
    for (const next of ["getScorecardState", "getScorecard", "deliverScorecard", "withdrawScorecard"]) {
      expect(found).toContain(`submitScorecards ${next}`);
    }
    for (const next of ["getWebhook", "changeWebhook", "testWebhook", "replayWebhook", "removeWebhook"]) {
      expect(found).toContain(`createWebhook ${next}`);
    }
  });

  test("an operation names its path in lower case beside the union's spelling", () => {
    expect(sent.paths["/{apiset}/Clubs/{clubId}"].get.description).toContain(
      "Also `GET /{apiset}/clubs/{clubId}`.",
    );
    expect(sent.paths["/{apiset}/clubs/Golfer_ByAccessToken"].get.description).toContain(
      "Also `GET /{apiset}/clubs/golfer_byaccesstoken`.",
    );
  });

  test("every field of a card is listed, as sent and as answered", () => {
    const schemas = {
      card: "Scorecard",
      course: "ScorecardCourse",
      hole: "ScorecardHole",
      round: "ScorecardRound",
      result: "ScorecardResult",
      player: "ScorecardPlayer",
      marker: "ScorecardMarker",
    };
    const named = sent.components.schemas;
    for (const [part, name] of Object.entries(schemas)) {
      const known = Object.keys(fields[part as keyof typeof fields]);
      expect(Object.keys(named[name].properties), name).toEqual(known);
      const filled = named[`Filled${name}`];
      if (filled !== undefined) expect(Object.keys(filled.properties), name).toEqual(known);
    }
    expect(named.ScorecardResult.properties.Strokes).toMatchObject({ type: "array", maxItems: 18 });
  });

  test("an answered card has its derived fields, which generated clients need not check for", () => {
    const { FilledScorecard, FilledScorecardResult } = sent.components.schemas;
    expect(FilledScorecard.required).toEqual(expect.arrayContaining(["ID", "PHCP", "Course"]));
    expect(FilledScorecardResult.required).toContain("TotalPoints");
    expect(FilledScorecardResult.properties.TotalPoints.type).toBe("integer");
  });

  test("every object has a name, so that no generator has to invent one", () => {
    const anonymous: string[] = [];
    const search = (part: unknown, place: string, depth: number): void => {
      if (typeof part !== "object" || part === null) return;
      if (depth > 0 && "properties" in part) anonymous.push(place);
      for (const [name, value] of Object.entries(part)) {
        search(value, `${place}/${name}`, name === "properties" ? depth : depth + 1);
      }
    };
    for (const [name, schema] of Object.entries(sent.components.schemas)) search(schema, name, 0);
    expect(anonymous).toEqual([]);
  });

  test("an answer may get further members, which generated clients must not refuse", () => {
    const { WebhookInput, WebhookChange, WebhookReplayInput, ...others } = sent.components.schemas;
    expect(JSON.stringify(others)).not.toContain('"additionalProperties":false');
    // What a vendor misspells in a request is refused.
    const ofRequests = [WebhookInput, WebhookChange, WebhookReplayInput];
    for (const { additionalProperties } of ofRequests) {
      expect(additionalProperties).toBe(false);
    }
  });

  test("every operation is described, with an example of what it answers", () => {
    for (const { path, method, operationId, responses } of operations) {
      const operation = sent.paths[path][method];
      expect(operation.description, operationId).not.toBe("");
      for (const [status, { content }] of Object.entries(responses)) {
        const hasJson = Number(status) < 300 && content?.["application/json"] !== undefined;
        if (!hasJson || operationId === "describeApi") continue;
        const { schema, example } = operation.responses[status].content["application/json"];
        expect(example, `${operationId} ${status}`).toBeDefined();
        expect(faultsOf(schema, example), `${operationId} ${status}`).toEqual([]);
      }
    }
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

describe("clients for other languages", () => {
  test("no schema has a list of types besides one with null, at which generators stop, and only numbers that may be texts are an anyOf", () => {
    const lists: string[] = [];
    const search = (part: unknown, place: string): void => {
      if (typeof part !== "object" || part === null) return;
      const { type, anyOf } = part as { type?: unknown; anyOf?: unknown };
      const isList = Array.isArray(type) && (type.length !== 2 || type[1] !== "null");
      if (isList || anyOf !== undefined) lists.push(place);
      for (const [name, value] of Object.entries(part)) search(value, `${place}/${name}`);
    };
    search(sent.components.schemas, "");
    expect(lists).toEqual([
      "/CourseRatingNumber",
      "/HandicapIndexNumber",
      "/NumberOrText",
      "/ScaledNumber",
      "/SlopeRatingNumber",
    ]);
  });

  test("no answer has a pattern for a text that may be null, for which Go refuses the whole answer, but requests have", () => {
    const names = (part: unknown) =>
      Array.from(JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g), ([, name = ""]) => name);
    const isOfAnswers = new Set<string>();
    const reach = (name: string): void => {
      if (isOfAnswers.has(name)) return;
      isOfAnswers.add(name);
      for (const other of names(sent.components.schemas[name])) reach(other);
    };
    const answers = Object.values<Record<string, Record<string, unknown>>>(sent.paths).flatMap((methods) =>
      Object.values(methods).map(({ responses }) => responses),
    );
    for (const name of names([answers, sent.components.responses, sent.webhooks])) reach(name);
    const patterned = Object.keys(sent.components.schemas).filter((name) =>
      Object.values<{ type: unknown; pattern?: string }>(sent.components.schemas[name].properties ?? {}).some(
        ({ type, pattern }) => pattern !== undefined && String(type).includes("null"),
      ),
    );
    expect(isOfAnswers).toContain("FilledScorecardPlayer");
    expect(patterned.filter((name) => isOfAnswers.has(name))).toEqual([]);
    expect(patterned.sort()).toEqual(["Scorecard", "ScorecardCourse", "ScorecardMarker", "ScorecardPlayer"]);
  });

  test("no schema is named as the constructor of another one in Go, or as a type that a generator adds", () => {
    const names = Object.keys(sent.components.schemas);
    for (const name of names) {
      expect(names).not.toContain(`New${name}`);
      expect(names).not.toContain(`New${name}WithDefaults`);
      expect(names).not.toContain(`Nullable${name}`);
    }
    const ids = operations.map(({ operationId }) => operationId.toLowerCase());
    for (const name of names) {
      for (const suffix of ["Response", "Params", "Request", "JSONRequestBody"]) {
        if (name.endsWith(suffix)) expect(ids).not.toContain(name.slice(0, -suffix.length).toLowerCase());
      }
    }
  });

  test("a number that may be a text, and a card that was refused, are read as documented", () => {
    const { ScorecardCourse, FilledScorecard } = sent.components.schemas;
    const { TeeRating } = ScorecardCourse.properties;
    for (const value of ["710000", 710_000, null]) expect(faultsOf(TeeRating, value)).toEqual([]);
    expect(faultsOf(TeeRating, true)).not.toEqual([]);
    expect(faultsOf(FilledScorecard.properties.HCP, null)).not.toEqual([]);
  });
});

describe("the events", () => {
  const failure = { phase: "after", status: 503, message: "The exchange answered 503." } as const;
  const open = { since: Date.UTC(2026, 6, 4), failure, nextProbeAt: Date.UTC(2026, 6, 4) + 30_000 };
  const card = storedCard("417");
  const ofCard = (changes: Partial<StoredCard>) =>
    happenings([{ card: { ...card, ...changes }, before: undefined, sequenceNumber: "1" }]).flatMap((one) =>
      eventsOfChange(one, "shard"),
    );
  const breaker = (now: boolean) =>
    eventsOfBreaker(
      { apiSet: green, sequenceNumber: "1", open: now ? open : undefined, before: now ? undefined : open },
      "shard",
      open.since,
    );
  const record = { at: open.since, differential: 157_000 };
  const unsent = { day: "2026-07-04", cards: 2, acceptedToday: 1, since: "2026-07-04T10:00:00.000Z" };
  const toldEndpoint: ToldEndpoint = {
    ...{ id: "wh_1", since: "2026-07-04T10:00:00.000Z", failures: 14, status: 503 },
    ...{ message: "The endpoint answered 503.", why: "failed_for_days" },
  };
  const events: readonly WebhookEvent[] = [
    ...ofCard({ state: "delivered", attempts: 1, playerUnknown: true }),
    ...ofCard({ state: "rejected", attempts: 1, failure }),
    ...ofCard({ state: "undelivered", failure, record: { ...record, isRecorded: true } }),
    ...ofCard({ state: "withdrawn", maybeAtExchange: 1, record: { ...record, isRecorded: false } }),
    breaker(true),
    breaker(false),
    createEvent(green, "scorecards.unsent", open.since, { unsent, paused: pausedBy(open) }),
    ...(["endpoint.failing", "endpoint.disabled", "endpoint.recovered"] as const).map((type) =>
      createEvent(green, type, open.since, { endpoint: toldEndpoint }),
    ),
    createEvent(green, "webhook.test", open.since, {}),
  ].flat();

  test("every type has a webhook with an example, and no other type has one", () => {
    expect(Object.keys(sent.webhooks).sort()).toEqual([...eventTypes, "webhook.test"].sort());
    for (const { post } of Object.values<{ post: { requestBody: { content: Record<string, Content> } } }>(
      sent.webhooks,
    )) {
      const { schema = {}, example } = post.requestBody.content["application/json"] ?? {};
      expect(faultsOf(schema, example)).toEqual([]);
      expect(faultsOf({ $ref: address("WebhookEvent") }, example)).toEqual([]);
    }
  });

  test("an event of every type is posted as it is documented, with no other member", () => {
    expect(new Set(events.map(({ type }) => type))).toEqual(new Set([...eventTypes, "webhook.test"]));
    const closed = withoutOtherMembers(document);
    const strict = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
    strict.addSchema(closed, "closed");
    for (const event of events) {
      const { $ref } = sent.webhooks[event.type].post.requestBody.content["application/json"].schema;
      const validate = strict.compile({ $ref: `closed${$ref}` });
      expect([event.type, validate(JSON.parse(bodyOf(event))), validate.errors]).toEqual([
        event.type,
        true,
        null,
      ]);
    }
  });
});
