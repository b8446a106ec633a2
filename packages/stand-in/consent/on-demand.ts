import type { AuthorizationDependencies, AuthorizationServer } from "./authorization-server.ts";

/** Path of the authorization server below the union's base address. */
export const authorizationPath = "/oauth";

/** Whether a request is for the authorization server. */
export function isForAuthorization(url: string | undefined): boolean {
  return /^\/oauth(\/|$)/.test(url ?? "");
}

/**
 * An authorization server that is loaded at the first request for it, because loading is slow and most runs never use it.
 *
 * @param dependencies called once, when the server is first needed
 */
export function authorizationOnDemand(
  dependencies: () => AuthorizationDependencies,
): () => Promise<AuthorizationServer> {
  let made: Promise<AuthorizationServer> | undefined;
  return () => {
    made ??= import("./authorization-server.ts").then(({ createAuthorizationServer }) =>
      createAuthorizationServer(dependencies()),
    );
    return made;
  };
}
