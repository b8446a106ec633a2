import { hash } from "node:crypto";
import { ProblemError, problem } from "../http/problem.ts";
import { fitsResponse, type HttpResponse, json } from "../http/response.ts";
import type { VendorRequest } from "../http/vendor-api.ts";

/** An answer's text with its validator. */
export interface JsonDocument {
  readonly text: string;
  /** Entity tag, with its quotes. @see RFC 9110, 8.8.3 */
  readonly tag: string;
}

const tooMuch =
  "This is more than an answer can hold, 6 MB. Ask for less: for courses with active=1, excludeParams=tees or " +
  "changedsince, for clubs one by one.";

/**
 * Tags a JSON text: the same text has the same tag, wherever and whenever it is answered.
 *
 * @throws ProblemError 413 if it is larger than a Lambda response may be
 */
export function jsonDocument(text: string): JsonDocument {
  if (!fitsResponse([text])) throw new ProblemError(problem(413, "Answer too large", tooMuch));
  // Weak, because API Gateway may compress the text on its way.
  return { text, tag: `W/"${hash("sha256", text, "base64url").slice(0, 22)}"` };
}

/**
 * Answers with a document; a client that already has this version gets 304 without a body.
 *
 * @see RFC 9110, 13.1.2: tags are compared weakly, `*` stands for any
 */
export function conditionalResponse({ text, tag }: JsonDocument, { header }: VendorRequest): HttpResponse {
  // Clients revalidate each time, which costs little with the tag, so nobody works with an old course.
  const headers = { ETag: tag, "Cache-Control": "private, no-cache" };
  const known = (header("if-none-match") ?? "").split(",").map((one) => one.trim().replace(/^W\//, ""));
  const same = known.includes(tag.replace(/^W\//, "")) || known.includes("*");
  return same ? { statusCode: 304, headers, body: "" } : json(200, text, headers);
}
