import { hash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { ProblemError, problem } from "../http/problem.ts";
import { acceptsGzip } from "../http/request.ts";
import { type HttpResponse, jsonContentType, maxResponseBytes } from "../http/response.ts";
import type { VendorRequest } from "../http/vendor-request.ts";

/** An answer's text with its validator. */
export interface JsonDocument {
  /** Of the text in UTF-8. */
  readonly bytes: number;
  /** Entity tag, with its quotes. @see RFC 9110, 8.8.3 */
  readonly tag: string;
  readonly text: () => string | Uint8Array;
  readonly gzipped: () => Uint8Array;
}

/** Shorter texts are not worth compressing. */
const bytesWorthGzipping = 1024;
/** Twice as quick as zlib's default for a club's courses; a list of clubs gets 6 % larger. */
const gzipOptions = { level: 4 };

/** Tags a JSON text: the same text has the same tag, wherever and whenever it is answered. */
export function jsonDocument(text: string): JsonDocument {
  return {
    bytes: Buffer.byteLength(text),
    // Weak, because the same text may be sent gzipped or not.
    tag: `W/"${hash("sha256", text, "base64url").slice(0, 22)}"`,
    text: () => text,
    gzipped: () => gzipSync(text, gzipOptions),
  };
}

/** The same document in a form to be kept: gzipped, which takes a fraction of the memory and is what most clients get. */
export function keptDocument({ bytes, tag, gzipped }: JsonDocument): JsonDocument {
  // A copy, because zlib's result is a part of a larger buffer.
  const kept = new Uint8Array(gzipped());
  return { bytes, tag, text: () => gunzipSync(kept), gzipped: () => kept };
}

/**
 * Answers with a document, gzipped if the client accepts that; a client that already has this version gets 304 without a
 * body.
 *
 * @throws ProblemError 413 if it is larger than what is sent of one answer
 * @see RFC 9110, 13.1.2: tags are compared weakly, `*` stands for any
 */
export function conditionalResponse(
  document: JsonDocument,
  { header }: Pick<VendorRequest, "header">,
): HttpResponse<string | Uint8Array> {
  const { tag, bytes } = document;
  // Clients revalidate each time, which costs little with the tag, so nobody works with an old course.
  const headers = { ETag: tag, "Cache-Control": "private, no-cache", Vary: "Accept-Encoding" };
  const known = (header("if-none-match") ?? "").split(",").map((one) => one.trim().replace(/^W\//, ""));
  const same = known.includes(tag.replace(/^W\//, "")) || known.includes("*");
  if (same) return { statusCode: 304, headers, body: "" };
  if (bytes < bytesWorthGzipping || !acceptsGzip(header("accept-encoding"))) {
    if (bytes > maxResponseBytes) throw tooLarge(bytes, "Send `Accept-Encoding: gzip`, or ask for less");
    return { statusCode: 200, headers: { ...jsonContentType, ...headers }, body: document.text() };
  }
  const body = document.gzipped();
  if (body.byteLength > maxResponseBytes) throw tooLarge(body.byteLength, "Ask for less");
  return { statusCode: 200, headers: { ...jsonContentType, ...headers, "Content-Encoding": "gzip" }, body };
}

/**
 * Lambda streams the first 6 MB as quickly as it can, and without a charge; the rest at 2 MB a second.
 *
 * @see AWS Lambda developer guide, Bandwidth limits for response streaming
 */
function tooLarge(bytes: number, remedy: string): ProblemError {
  const megabytes = (size: number) => (size / 1e6).toFixed(1);
  const detail =
    `The answer has ${megabytes(bytes)} MB, and at most ${megabytes(maxResponseBytes)} MB are sent. ${remedy}: courses ` +
    "with active=1, excludeParams=tees or changedsince, clubs one by one.";
  return new ProblemError(problem(413, "Answer too large", detail));
}
