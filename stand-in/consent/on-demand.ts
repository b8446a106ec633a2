import type { AuthorizationDependencies, AuthorizationServer } from "./authorization-server.ts";

/** Path below a union's base address at which its authorization server is. */
export const authorizationPath = "/oauth";

/** Whether a request is for the authorization server. */
export function isForAuthorization(url: string | undefined): boolean {
  return /^\/oauth(\/|$)/.test(url ?? "");
}

/**
 * An authorization server that is loaded and made when it is first asked for: most unions never are, and it takes a while.
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
