import { escaped, page } from "../base/html.ts";
import { playerScope } from "./player-scope.ts";

/** What each scope lets an app do, for the consent page. */
const scopes: Readonly<Record<string, string>> = {
  [playerScope]: "see your name, birth date, memberships and handicap",
};

/** The page on which a player logs in. @param address path of the interaction */
export function loginPage(address: string, failed: boolean): string {
  const failure = failed ? '<p role="alert">That is no member\'s number and password.</p>' : "";
  return page(
    "Log in as a player",
    `${failure}<form method="post" action="${escaped(address)}/login">
<label for="number">LifeTimeID or UnionID</label>
<input id="number" name="number" autocomplete="username" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button type="submit">Log in</button>
</form>`,
  );
}

/** The page on which a player allows or denies an app's request. @param address path of the interaction */
export function consentPage(address: string, app: string, asked: readonly string[]): string {
  const list = asked.map((scope) => `<li>${escaped(scopes[scope] ?? scope)}</li>`).join("\n");
  return page(
    `Let ${app} in?`,
    `<p>The app <strong>${escaped(app)}</strong> asks to:</p>
<ul>
${list}
</ul>
<form method="post" action="${escaped(address)}/consent">
<button type="submit" name="answer" value="allow">Allow</button>
<button type="submit" name="answer" value="deny">Deny</button>
</form>`,
  );
}

/** The error page of a login that cannot continue. */
export function refusedPage(reason: string): string {
  return page("This does not work", `<p>${escaped(reason)}</p>`);
}
