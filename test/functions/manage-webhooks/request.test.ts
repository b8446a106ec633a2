import { expect, test } from "vitest";
import { webhookChangeSchema, webhookInputSchema } from "../../../api/webhook-inputs.ts";
import { eventTypes } from "../../../core/webhooks/endpoint.ts";
import { readBody, readReplay } from "../../../functions/manage-webhooks/request.ts";
import { day } from "../../durations.ts";

const url = "https://scores.example/webhooks";
const nowhere = { own: { apiId: undefined, hosts: [] } };

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
  [
    "more types than there are",
    { url, types: [...eventTypes, eventTypes[0]] },
    `types must name at most ${eventTypes.length} events.`,
  ],
  ["a header that no object can have", `{"url": "${url}", "headers": {"__proto__": "a"}}`, "__proto__"],
  ["the same, escaped", `{"url": "${url}", "headers": {"_\\u005fproto__": "a"}}`, "__proto__"],
])("an endpoint with %s is refused, and the refusal says what to send", (_, body, said) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  expect(() => readBody(webhookInputSchema, text, nowhere)).toThrow(
    expect.objectContaining({
      problem: expect.objectContaining({ status: 400, detail: expect.stringContaining(said) }),
    }),
  );
});

test("a change of an endpoint may leave everything out", () => {
  expect(readBody(webhookChangeSchema, "{}", nowhere)).toEqual({});
  expect(() => readBody(webhookChangeSchema, '{"enable": false}', nowhere)).toThrow(
    expect.objectContaining({ problem: expect.objectContaining({ status: 400 }) }),
  );
});

test("headers of one's own are read, and refused without their values", () => {
  const headers = { Authorization: "Bearer abc" };
  expect(readBody(webhookInputSchema, JSON.stringify({ url, headers }), nowhere)).toMatchObject({ headers });
  for (const wrong of [{ Host: "secret" }, { "X-Key": "secret\n" }, { "X-Key": 7 }, ["secret"]]) {
    let said = "";
    try {
      readBody(webhookChangeSchema, JSON.stringify({ headers: wrong }), nowhere);
    } catch (error) {
      said = JSON.stringify((error as { problem: unknown }).problem);
    }
    expect(said).toContain('"status":400');
    expect(said).not.toContain("secret");
  }
});

const queueUrl = "https://sqs.eu-west-1.amazonaws.com/123456789012/events.fifo";
const roleArn = "arn:aws:iam::123456789012:role/scorecard-events-greens";
const refusal = (detail: RegExp) =>
  expect.objectContaining({
    problem: expect.objectContaining({ status: 400, detail: expect.stringMatching(detail) }),
  });

test("a queue is read with the role that sends to it, and a change may have one of both", () => {
  const input = { url: queueUrl, roleArn, headers: { stage: "test" } };
  expect(readBody(webhookInputSchema, JSON.stringify(input), nowhere)).toEqual(input);
  const before = { url: queueUrl, roleArn };
  const standard = queueUrl.replace("events.fifo", "q");
  expect(readBody(webhookChangeSchema, JSON.stringify({ url: standard }), nowhere, before)).toEqual({
    url: standard,
  });
  const other = `${roleArn}-2`;
  expect(readBody(webhookChangeSchema, JSON.stringify({ roleArn: other }), nowhere, before)).toEqual({
    roleArn: other,
  });
});

test.each<[string, object, RegExp]>([
  ["an address that is no queue", { url }, /is that of an SQS queue/],
  [
    "a host that only begins like AWS's",
    { url: queueUrl.replace(".com/", ".com.evil.example/") },
    /SQS queue/,
  ],
  ["a queue of this machine", { url: "http://127.0.0.1:4566/123456789012/events" }, /SQS queue/],
  [
    "a name that is too long",
    { url: `https://sqs.eu-west-1.amazonaws.com/123456789012/${"q".repeat(81)}` },
    /SQS queue/,
  ],
  [
    "a role of another name",
    { roleArn: "arn:aws:iam::123456789012:role/admin" },
    /begins with scorecard-events/,
  ],
  [
    "a role of another account",
    { roleArn: roleArn.replace("123456789012", "210987654321") },
    /different AWS accounts/,
  ],
  ["a header that SQS takes for none of ours", { headers: { "AWS.x": "y" } }, /none of a message attribute/],
  [
    "eight headers",
    { headers: Object.fromEntries("abcdefgh".split("").map((name) => [name, "x"])) },
    /at most 7/,
  ],
])("a queue with %s is refused, and the refusal says what to send", (_, change, detail) => {
  const input = { url: queueUrl, roleArn, ...change };
  expect(() => readBody(webhookInputSchema, JSON.stringify(input), nowhere)).toThrow(refusal(detail));
});

test("an address does not become a queue, nor a queue an address", () => {
  const ofQueue = { url: queueUrl, roleArn };
  expect(() => readBody(webhookChangeSchema, JSON.stringify({ url }), nowhere, ofQueue)).toThrow(
    refusal(/SQS queue/),
  );
  expect(() => readBody(webhookChangeSchema, JSON.stringify({ roleArn }), nowhere, { url })).toThrow(
    refusal(/Make another endpoint/),
  );
});

const now = Date.UTC(2026, 6, 4, 12);

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
    '{"preview": true, "after": "29900000000001-42"}',
    { isPreview: true, after: { item: 29_900_000_000_001, events: 42 } },
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

const own = { ...nowhere, own: { apiId: "a1b2c3", hosts: ["127.0.0.1:3000", "cards.union.example"] } };

test.each([
  "https://cards.union.example/production/greens/Webhooks/wh_1/Test",
  "https://CARDS.Union.Example./",
  "https://cards.union.example:443",
  "https://%63ards.union.example/",
  "https://cards。union。example/",
  "https://a1b2c3.execute-api.eu-north-1.amazonaws.com/production",
  "https://A1B2C3.EXECUTE-API.eu-north-1.amazonaws.com./",
  "https://a1b2c3-vpce-0123.execute-api.eu-north-1.amazonaws.com/production",
  "http://127.0.0.1:3000/test/greens/Webhooks",
  "http://127.1:3000/",
  "http://2130706433:3000/",
  "http://0x7f.0.0.1:3000/",
  "http://0177.0.0.1:3000/",
  "http://127.0.0.2:3000/",
  "http://[::1]:3000/",
  "http://[0:0:0:0:0:0:0:1]:3000/",
  "http://localhost:3000/",
  "http://a.localhost.:3000/",
])("an endpoint cannot be the API itself: %s", (address) => {
  const body = JSON.stringify({ url: address });
  expect(() => readBody(webhookInputSchema, body, own)).toThrow(refusal(/this API's own/));
});

test.each([
  "https://scores.union.example/",
  "https://cards.union.example.scores.example/",
  "https://cards.union.example:8443/",
  "https://d4e5f6.execute-api.eu-north-1.amazonaws.com/",
  "https://a1b2c3.scores.example/",
])("another server of whatever name can be one: %s", (address) => {
  expect(readBody(webhookInputSchema, JSON.stringify({ url: address }), own)).toEqual({ url: address });
});
