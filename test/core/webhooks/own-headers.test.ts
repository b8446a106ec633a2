import { expect, test } from "vitest";
import { ownHeaderLimits, ownHeadersFault } from "../../../core/webhooks/own-headers.ts";

const many = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, place) => [`X-${place}`, "1"]));
const { headers, nameCharacters, valueCharacters } = ownHeaderLimits;

test.each([
  ["none", {}],
  ["a credential", { Authorization: "Bearer abc", "X-Api-Key": "a b=c;d" }],
  ["as many as are allowed", many(headers)],
  ["the longest value", { "X-Key": "x".repeat(valueCharacters) }],
])("%s can be sent", (_, given) => {
  expect(ownHeadersFault(given)).toBeUndefined();
});

test.each<[string, Record<string, string>]>([
  ["too many", many(headers + 1)],
  ["a name that is too long", { [`X-${"x".repeat(nameCharacters)}`]: "1" }],
  ["a name with a space", { "X Key": "1" }],
  ["a name with a line break", { "X-Key\r\nX-Other": "1" }],
  ["an empty name", { "": "1" }],
  ["an empty value", { "X-Key": "" }],
  ["a value with a line break", { "X-Key": "secret\r\nX-Other: 1" }],
  ["a value with a space at its end", { "X-Key": "secret " }],
  ["a value beyond ASCII", { "X-Key": "secretå" }],
  ["a value that is too long", { "X-Key": "x".repeat(valueCharacters + 1) }],
  ["too much together", Object.fromEntries(["A", "B", "C", "D", "E"].map((name) => [name, "x".repeat(450)]))],
  ["the same name twice", { "X-Key": "1", "x-key": "2" }],
  ...[
    ...[
      "Host",
      "content-length",
      "Content-Type",
      "Content-Encoding",
      "User-Agent",
      "Connection",
      "Keep-Alive",
    ],
    ...["TE", "Trailer", "Transfer-Encoding", "Upgrade", "Expect", "Proxy-Authorization", "Proxy-Connection"],
    ...["webhook-id", "Webhook-Signature", "webhook-timestamp"],
  ].map((name): [string, Record<string, string>] => [`the header ${name}`, { [name]: "1" }]),
])("%s cannot be sent, and the message has no value", (_, given) => {
  const fault = ownHeadersFault(given);
  expect(fault).toBeDefined();
  expect(fault).not.toContain("secret");
});
