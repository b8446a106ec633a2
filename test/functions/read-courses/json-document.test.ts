import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { maxResponseBytes } from "../../../functions/http/response.ts";
import {
  conditionalResponse,
  type JsonDocument,
  jsonDocument,
  keptDocument,
} from "../../../functions/read-courses/json-document.ts";

const answer = (document: JsonDocument, headers: Record<string, string> = {}) =>
  conditionalResponse(document, { header: (name) => headers[name] });

const gzip = { "accept-encoding": "gzip, deflate, br" };
const textOf = (body: string | Uint8Array) => Buffer.from(body).toString();
const list = JSON.stringify(Array.from({ length: 1000 }, (_, number) => ({ number })));
/** Compressible texts, just within the limit and just above it. */
const most = `["${"ø".repeat(maxResponseBytes / 2 - 2)}"]`;
const tooLarge = `["${"ø".repeat(maxResponseBytes / 2)}"]`;

test("the same content has the same tag, other content another, and in a form to be kept the same", () => {
  const { tag } = jsonDocument("[1]");
  expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
  expect(jsonDocument("[1]").tag).toBe(tag);
  expect(keptDocument(jsonDocument("[1]")).tag).toBe(tag);
  expect(jsonDocument("[2]").tag).not.toBe(tag);
});

test.each([
  ["as it is made", jsonDocument(list)],
  ["as it is kept", keptDocument(jsonDocument(list))],
])("a document %s is sent gzipped to a client that accepts that, and as it is to others", (_, document) => {
  const zipped = answer(document, gzip);
  expect(zipped.headers).toMatchObject({ "Content-Encoding": "gzip", Vary: "Accept-Encoding" });
  expect(gunzipSync(zipped.body as Uint8Array).toString()).toBe(list);
  expect(zipped.body.length).toBeLessThan(list.length / 3);

  const plain = answer(document);
  expect(plain.headers).not.toHaveProperty("Content-Encoding");
  expect(textOf(plain.body)).toBe(list);
  for (const { statusCode, headers } of [zipped, plain]) {
    expect(statusCode).toBe(200);
    expect(headers).toMatchObject({
      "Content-Type": "application/json; charset=utf-8",
      ETag: document.tag,
      Vary: "Accept-Encoding",
    });
  }
});

test("a short document is not gzipped", () => {
  const { headers, body } = answer(jsonDocument("[]"), gzip);
  expect(headers).not.toHaveProperty("Content-Encoding");
  expect(body).toBe("[]");
});

test("a client that has the document gets 304 without a body, whether or not it accepts gzip", () => {
  const document = jsonDocument(list);
  for (const accepted of [{}, gzip]) {
    for (const known of [document.tag, document.tag.slice(2), `"other", ${document.tag}`, "*"]) {
      const { statusCode, headers, body } = answer(document, { ...accepted, "if-none-match": known });
      expect([statusCode, body]).toEqual([304, ""]);
      expect(headers).toEqual({
        ETag: document.tag,
        "Cache-Control": "private, no-cache",
        Vary: "Accept-Encoding",
      });
    }
    expect(answer(document, { ...accepted, "if-none-match": '"other"' }).statusCode).toBe(200);
  }
});

test("a document above the limit is refused if the client does not accept gzip, and told to, and sent if it does", () => {
  expect(textOf(answer(jsonDocument(most)).body)).toBe(most);
  expect(() => answer(jsonDocument(tooLarge))).toThrow(
    expect.objectContaining({
      problem: expect.objectContaining({
        status: 413,
        detail: expect.stringContaining("Send `Accept-Encoding: gzip`"),
      }),
    }),
  );
  expect(gunzipSync(answer(jsonDocument(tooLarge), gzip).body as Uint8Array).toString()).toBe(tooLarge);
});

test("a document that is above the limit gzipped as well is refused, and the client is told to ask for less", () => {
  const document = jsonDocument(JSON.stringify([randomBytes(maxResponseBytes).toString("base64")]));
  expect(() => answer(document, gzip)).toThrow(
    expect.objectContaining({
      problem: expect.objectContaining({
        status: 413,
        detail: expect.stringContaining("sent. Ask for less"),
      }),
    }),
  );
});
