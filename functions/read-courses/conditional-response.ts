import { type HttpResponse, json } from "../http/response.ts";
import type { VendorRequest } from "../http/vendor-api.ts";
import type { JsonDocument } from "./json-document.ts";

/**
 * Answers with a document; a client that already has this very one gets 304 and no body.
 *
 * @see RFC 9110, 13.1.2: tags are compared weakly, `*` stands for any
 */
export function conditionalResponse({ text, tag }: JsonDocument, { header }: VendorRequest): HttpResponse {
  // Clients are to ask each time: with the tag that costs next to nothing, and nobody works with an old course.
  const headers = { ETag: tag, "Cache-Control": "private, no-cache" };
  const known = (header("if-none-match") ?? "").split(",").map((one) => one.trim().replace(/^W\//, ""));
  const same = known.includes(tag.replace(/^W\//, "")) || known.includes("*");
  return same ? { statusCode: 304, headers, body: "" } : json(200, text, headers);
}
