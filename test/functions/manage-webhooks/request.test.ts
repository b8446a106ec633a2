import { expect, test } from "vitest";
import { eventTypes } from "../../../core/webhooks/endpoint.ts";
import {
  endpointChangeSchema,
  endpointInputSchema,
  readBody,
  readReplay,
} from "../../../functions/manage-webhooks/request.ts";

const url = "https://scores.example/webhooks";

test.each([
  ["no JSON", "url", "The body must be a JSON object."],
  ["a list", "[]", "The body must be a JSON object."],
  ["no URL", "{}", "url must be a text."],
  ["a URL that only a parser mends", { url: "https:scores.example" }, "url must begin with https://."],
  ["spaces before its URL", { url: ` ${url}` }, "url must begin with https://."],
  ["no list of types", { url, types: "webhook.test" }, "types must be an array."],
  ["a misspelt field", { url, type: ["card"] }, '"type" is no field of an endpoint.'],
  ["no type at all", { url, types: [] }, "types must name an event; leave it out to get all."],
  [
    "an unknown type",
    { url, types: [eventTypes[0], "card"] },
    `types.1 must be one of ${eventTypes.join(", ")}.`,
  ],
])("an endpoint with %s is refused, and the refusal says what to send", (_, body, said) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  expect(() => readBody(endpointInputSchema, text)).toThrow(
    expect.objectContaining({
      problem: expect.objectContaining({ status: 400, detail: expect.stringContaining(said) }),
    }),
  );
});

test("a change of an endpoint may leave everything out", () => {
  expect(readBody(endpointChangeSchema, "{}")).toEqual({});
  expect(() => readBody(endpointChangeSchema, '{"enable": false}')).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ status: 400 }) }),
  );
});

test("headers of one's own are read, and refused without their values", () => {
  const headers = { Authorization: "Bearer abc" };
  expect(readBody(endpointInputSchema, JSON.stringify({ url, headers }))).toMatchObject({ headers });
  for (const wrong of [{ Host: "secret" }, { "X-Key": "secret\n" }, { "X-Key": 7 }, ["secret"]]) {
    let said = "";
    try {
      readBody(endpointChangeSchema, JSON.stringify({ headers: wrong }));
    } catch (error) {
      said = JSON.stringify((error as { problem: unknown }).problem);
    }
    expect(said).toContain('"status":400');
    expect(said).not.toContain("secret");
  }
});

const now = Date.UTC(2026, 6, 4, 12);
const day = 86_400_000;

test.each<[string, string, object]>([
  ["nothing", "", { from: now - day, before: now, isPreview: false }],
  ["an end", '{"to": "2026-07-04T10:00:00Z"}', { from: now - day - 7_200_000, before: now - 7_200_000 }],
  [
    "a time in another zone",
    '{"from": "2026-07-04T12:00:00+02:00", "types": ["scorecard.rejected"]}',
    { from: now - 7_200_000, before: now, types: ["scorecard.rejected"] },
  ],
  [
    "a preview from a place",
    '{"preview": true, "after": "2026-07-04#0017#shardId-1#42"}',
    { isPreview: true, after: { item: "2026-07-04#0017#shardId-1", cards: 42 } },
  ],
])("a replay of %s is read", (_, body, expected) => {
  expect(readReplay(body, now)).toMatchObject(expected);
});

test.each([
  ["a day instead of a time", '{"from": "2026-07-04"}'],
  ["the year 0", '{"to": "0000-07-04T11:00:00Z"}'],
  ["an end before the beginning", '{"from": "2026-07-04T11:00:00Z", "to": "2026-07-04T10:00:00Z"}'],
  ["more than a month", '{"from": "2026-06-01T00:00:00Z"}'],
  ["an unknown type", '{"types": ["scorecard.eaten"]}'],
  ["an unknown field", '{"since": "2026-07-04T10:00:00Z"}'],
  ["an unknown place", '{"after": "x"}'],
  ["no JSON", "from=2026-07-04"],
])("a replay of %s is refused", (_, body) => {
  expect(() => readReplay(body, now)).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ status: 400 }) }),
  );
});
