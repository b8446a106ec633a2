import { hash } from "node:crypto";
import { ProblemError, problem } from "../http/problem.ts";
import { fitsResponse } from "../http/response.ts";

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
 * Writes a document as JSON, and tags it: the same content has the same tag, wherever and whenever it is written.
 *
 * @throws ProblemError 413 where Lambda would not hand it over
 */
export function jsonDocument(content: unknown): JsonDocument {
  const text = JSON.stringify(content);
  if (!fitsResponse([text])) throw new ProblemError(problem(413, "Answer too large", tooMuch));
  // Weak, since API Gateway may compress the text on its way.
  return { text, tag: `W/"${hash("sha256", text, "base64url").slice(0, 22)}"` };
}
