import { expect, test } from "vitest";
import { eventTypes } from "../../../core/webhooks/endpoint.ts";
import {
  endpointChangeSchema,
  endpointInputSchema,
  readBody,
} from "../../../functions/manage-webhooks/request.ts";

const url = "https://scores.example/webhooks";

test.each([
  ["no JSON", "url", "The body must be a JSON object."],
  ["a list", "[]", "The body must be a JSON object."],
  ["no URL", "{}", "url must be a text."],
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
