import { expect, test } from "vitest";
import { acceptsGzip, bodyText, headerFinder } from "../../../functions/http/request.ts";

test("a header is found in any case, and the last one if it was sent twice", () => {
  expect(headerFinder({ "If-None-Match": "a" })("if-none-match")).toBe("a");
  expect(headerFinder({ Prefer: "first", prefer: "second" })("prefer")).toBe("second");
});

test.each([undefined, null, {}])("a request with the headers %j has no header", (headers) => {
  expect(headerFinder(headers)("accept")).toBeUndefined();
});

test("a body is read whether or not API Gateway encodes it in Base64", () => {
  const encoded = Buffer.from("Søhøjlandet").toString("base64");
  expect(bodyText({ body: encoded, isBase64Encoded: true })).toBe("Søhøjlandet");
  expect(bodyText({ body: "Søhøjlandet", isBase64Encoded: false })).toBe("Søhøjlandet");
});

test.each([undefined, null])("a request with the body %j has an empty one", (body) => {
  expect([bodyText({ body }), bodyText({ body, isBase64Encoded: true })]).toEqual(["", ""]);
});

test.each(["gzip", "GZIP", "br, gzip", "gzip;q=0.5", "deflate, gzip ; q=1.0", "*", "br;q=1, *;q=0.1"])(
  "a client that sends Accept-Encoding: %s accepts gzip",
  (header) => {
    expect(acceptsGzip(header)).toBe(true);
  },
);

test.each([undefined, "", "identity", "br", "gzip;q=0", "gzip;q=0.000, *", "*;q=0", "gzipped", "gzip;q=x"])(
  "a client that sends Accept-Encoding: %s does not accept gzip",
  (header) => {
    expect(acceptsGzip(header)).toBe(false);
  },
);
