import type { BasicCredentials } from "../../core/accounts/basic-credentials.ts";

/** What came of reading a form that was sent. */
export type PostedForm =
  | { readonly credentials: BasicCredentials }
  | { readonly status: 413 | 415; readonly told: string };

/** Bytes: a user name and a password, however they are percent-encoded. */
const largestForm = 2048;

/**
 * Reads the login form. What is missing is empty, and nobody's.
 *
 * @param contentType header of the request
 */
export function readPostedForm(contentType: string, body: string): PostedForm {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType)) {
    return { status: 415, told: "That was not this form. Fill it in and send it again." };
  }
  if (Buffer.byteLength(body) > largestForm) {
    return { status: 413, told: "That was too long for a user name and a password." };
  }
  const fields = new URLSearchParams(body);
  return { credentials: { username: fields.get("username") ?? "", password: fields.get("password") ?? "" } };
}
