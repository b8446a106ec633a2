import { generateKeyPairSync, randomBytes } from "node:crypto";
import type { RequestListener } from "node:http";
import Provider from "oidc-provider";
import type { StandInAccount } from "../base/account.ts";
import type { UnionMember } from "../register/records.ts";
import { interactionListener } from "./interactions.ts";
import { refusedPage } from "./pages.ts";
import { playerScope } from "./player-scope.ts";
import { tokenStores } from "./token-store.ts";

/** Redirect URIs of native apps, which may use any port. @see RFC 8252, 7.3 */
const loopbackRedirects = ["http://127.0.0.1/callback", "http://localhost/callback"];

const day = 86_400;

/** A player's consent to an app. */
export interface Consent {
  readonly memberId: string;
  /** Username of the app's account. */
  readonly username: string;
  readonly scopes: ReadonlySet<string>;
}

/** The authorization server of the union. */
export interface AuthorizationServer {
  readonly answer: RequestListener;
  /** The consent behind an access token; undefined if the token is invalid, expired or revoked. */
  consent(token: string): Promise<Consent | undefined>;
}

/** The accounts and members of an authorization server, and its address and token lifetime. */
export interface AuthorizationDependencies {
  /** Its address: the union's base address and the authorization path. */
  readonly issuer: string;
  readonly accounts: readonly StandInAccount[];
  readonly findMember: (number: string) => UnionMember | undefined;
  /** Password of every member. */
  readonly password: string;
  /** Lifetime of an access token. */
  readonly tokenSeconds: number;
}

/** The key that signs ID tokens. No client of the stand-in reads them. */
function signingKeys(): object {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { keys: [{ ...privateKey.export({ format: "jwk" }), alg: "ES256", use: "sig" }] };
}

/** Whether an app may revoke a token. */
function isOwnToken(_context: unknown, app: { clientId: string }, token: { clientId: string }): boolean {
  return app.clientId === token.clientId;
}

/** Apps are public clients, one for each account that may look players up by token. */
function clientOf({ username, redirectUris }: StandInAccount): object {
  return {
    client_id: username,
    client_name: username,
    application_type: "native",
    token_endpoint_auth_method: "none",
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    redirect_uris: [...loopbackRedirects, ...(redirectUris ?? [])],
    id_token_signed_response_alg: "ES256",
  };
}

/**
 * An authorization server: OAuth 2.0 Authorization Code Flow with PKCE and refresh tokens.
 *
 * Endpoints below the issuer: `/.well-known/openid-configuration`, `/auth`, `/token`, `/token/revocation`.
 *
 * @see union-api, Authentication
 */
export function createAuthorizationServer(dependencies: AuthorizationDependencies): AuthorizationServer {
  const { issuer, accounts, findMember, password, tokenSeconds } = dependencies;
  const mount = new URL(issuer).pathname;
  const provider = new Provider(issuer, {
    // oidc-provider uses the clock of the process, so the store must use it too.
    adapter: tokenStores(() => new Date()),
    clients: accounts
      .filter(({ resources }) => resources?.includes("golfer-by-token") !== false)
      .map(clientOf),
    jwks: signingKeys(),
    cookies: { keys: [randomBytes(32).toString("base64url")] },
    scopes: ["openid", "offline_access", playerScope],
    pkce: { required: () => true },
    features: {
      devInteractions: { enabled: false },
      revocation: { enabled: true, allowedPolicy: isOwnToken },
    },
    enabledJWA: { idTokenSigningAlgValues: ["ES256"] },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `${mount}/interaction/${uid}` },
    findAccount: (_context: unknown, accountId: string) => ({
      accountId,
      claims: () => ({ sub: accountId }),
    }),
    issueRefreshToken: (_context: unknown, client: { grantTypeAllowed(type: string): boolean }) =>
      client.grantTypeAllowed("refresh_token"),
    expiresWithSession: () => false,
    ttl: {
      AccessToken: tokenSeconds,
      AuthorizationCode: 60,
      Grant: 30 * day,
      IdToken: 3_600,
      Interaction: 3_600,
      RefreshToken: 30 * day,
      Session: day,
    },
    renderError(
      context: { type: string; body: string },
      { error_description, error }: Record<string, string>,
    ) {
      context.type = "html";
      context.body = refusedPage(error_description ?? error ?? "The request was refused.");
    },
  });
  provider.on("server_error", (_context, error) => process.emitWarning(error));
  const answerProtocol = provider.callback();
  const answerPeople = interactionListener(provider, { findMember, password, mount });
  return {
    answer(request, response) {
      const mounted = Object.assign(request, { originalUrl: request.url });
      mounted.url = request.url?.slice(mount.length) || "/";
      if (mounted.url.startsWith("/interaction/")) answerPeople(mounted, response);
      else answerProtocol(mounted, response);
    },
    async consent(token) {
      const found = await provider.AccessToken.find(token);
      return found && { memberId: found.accountId, username: found.clientId, scopes: found.scopes };
    },
  };
}
