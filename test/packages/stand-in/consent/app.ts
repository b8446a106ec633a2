import * as client from "openid-client";
import type { StandIn } from "../../../../packages/stand-in/stand-in.ts";

const redirectUri = "http://127.0.0.1:4711/callback";

/** An app that asks for a player's consent. */
export interface App {
  readonly configuration: client.Configuration;
  /** Where it sends the player. */
  readonly url: URL;
  /** Takes the address that the player comes back to. @throws what the client library says of it */
  tokens(comeBackTo: URL): Promise<client.TokenEndpointResponse>;
}

/** Prepares an app of an account, with the client library that apps use. */
export async function startApp(
  { issuer }: Pick<StandIn, "issuer">,
  username: string,
  scope = "get_player.information",
): Promise<App> {
  const configuration = await client.discovery(new URL(issuer), username, undefined, client.None(), {
    execute: [client.allowInsecureRequests],
  });
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedState = client.randomState();
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: redirectUri,
    scope,
    state: expectedState,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  });
  return {
    configuration,
    url,
    tokens: (comeBackTo) =>
      client.authorizationCodeGrant(configuration, comeBackTo, { pkceCodeVerifier, expectedState }),
  };
}

/** A player at a browser without a screen: it follows redirects, keeps cookies and sends forms. */
function browser() {
  const cookies = new Map<string, string>();
  async function go(
    url: URL,
    form?: Record<string, string>,
  ): Promise<{ url: URL; status: number; text: string }> {
    if (url.href.startsWith(redirectUri)) return { url, status: 0, text: "" };
    const response = await fetch(url, {
      redirect: "manual",
      headers: { Cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(form !== undefined && { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location !== null) return go(new URL(location, url));
    return { url, status: response.status, text: await response.text() };
  }
  return { go };
}

const actionOf = (html: string, url: URL) => new URL(/action="([^"]+)"/.exec(html)?.[1] ?? "", url);

/** A player who logs in and answers; the address that the app has them come back to. */
export async function playerAnswers(
  url: URL,
  player: { readonly number: string; readonly password?: string; readonly answer?: "allow" | "deny" },
): Promise<URL> {
  const { number, password = "fairway", answer = "allow" } = player;
  const { go } = browser();
  const login = await go(url);
  const asked = await go(actionOf(login.text, login.url), { number, password });
  if (asked.status === 401) throw new Error("The login was refused.");
  const end = await go(actionOf(asked.text, asked.url), { answer });
  return end.url;
}

/** Access and refresh token of a player who consents to an app. */
export async function consentOf(standIn: Pick<StandIn, "issuer">, username: string, number: string) {
  const app = await startApp(standIn, username);
  return app.tokens(await playerAnswers(app.url, { number }));
}
