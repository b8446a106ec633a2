import { hash } from "node:crypto";
import { type Answer, json, type VendorRequest } from "../vendor-api.ts";

/**
 * An answer with a validator: a client that has the very same document gets 304 and no body.
 *
 * @see RFC 9110, 8.8.3 and 13.1.2
 */
export function validated(document: unknown, { header }: VendorRequest): Answer {
  const body = JSON.stringify(document);
  // Weak, since API Gateway may compress the body on its way.
  const tag = `W/"${hash("sha256", body, "base64url").slice(0, 22)}"`;
  const headers = { ETag: tag, "Cache-Control": "private, max-age=60" };
  const known = (header("if-none-match") ?? "").split(",").map((one) => one.trim().replace(/^W\//, ""));
  const same = known.includes(tag.slice(2)) || known.includes("*");
  return same ? { statusCode: 304, headers, body: "" } : json(200, body, headers);
}
