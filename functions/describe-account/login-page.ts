import { type Html, html } from "./html.ts";

/** Why a form came back: what to say, and what had been typed as the user name. */
export interface Refusal {
  readonly told: string;
  readonly username: string;
}

/**
 * The form for an account's user name and password.
 *
 * After a refusal the focus is on what is said about it, so that a screen reader says it first: without a script no
 * live region would.
 */
export function loginForm(refusal?: Refusal): Html {
  const faulty = refusal !== undefined;
  const about = faulty ? html` aria-describedby="fault"` : undefined;
  return html`<h1>Sign in</h1>
<p>See what your vendor account may use, with an example of each request.</p>
${faulty ? html`<p class="fault" id="fault" role="alert" tabindex="-1" autofocus>${refusal.told}</p>` : undefined}
<form method="post" class="card">
<label for="username">User name</label>
<input id="username" name="username" type="text" autocomplete="username" autocapitalize="none" spellcheck="false" required maxlength="256" value="${refusal?.username ?? ""}"${about}>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required maxlength="256"${about}>
<button type="submit">Sign in</button>
</form>
<p class="quiet">Your account comes from the operator, who can also give it a new password.</p>`;
}
