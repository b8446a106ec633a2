import type { BasicCredentials } from "../../core/accounts/account.ts";
import { type Html, html } from "../http/page/html.ts";
import { type BodyLimits, exceededLimit } from "../http/read-json.ts";

/** Why the form is shown again, and the user name that was entered. */
export interface LoginFailure {
  readonly message: string;
  readonly username: string;
}

/** The login form. After a failure its message has the focus, so that a screen reader reads it first even without a script. */
export function loginForm(failure?: LoginFailure): Html {
  const about = failure ? html` aria-describedby="fault"` : undefined;
  return html`<h1>Sign in</h1>
<p>See what your vendor account may use, with an example of each request.</p>
${failure ? html`<p class="fault" id="fault" role="alert" tabindex="-1" autofocus>${failure.message}</p>` : undefined}
<form method="post" class="card">
<label for="username">User name</label>
<input id="username" name="username" type="text" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="256" value="${failure?.username ?? ""}"${about}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="256"${about}>
<button type="submit">Sign in</button>
</form>
<p class="quiet">Your account comes from the operator, who can also give it a new password.</p>`;
}

/** The credentials of a login form, or why they cannot be read. */
export type PostedForm =
  | { readonly credentials: BasicCredentials }
  | { readonly status: 400 | 413 | 415; readonly message: string };

/** Enough for a user name and a password, as JSON or percent-encoded. */
export const credentialsLimits: BodyLimits = { bytes: 2_048, values: 2_048, levels: 4 };

/** Reads a posted login form. */
export function readPostedForm(contentType: string, body: string): PostedForm {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType)) {
    return { status: 415, message: "That was not this form. Fill it in and send it again." };
  }
  if (exceededLimit(body, credentialsLimits) !== undefined) {
    return { status: 413, message: "That was too long for a user name and a password." };
  }
  const fields = new URLSearchParams(body);
  const [username, password] = [fields.get("username"), fields.get("password")];
  if (username === null || password === null) {
    return { status: 400, message: "The user name or the password is missing. Fill in both." };
  }
  return { credentials: { username, password } };
}
