/** A request that an account may make, with an example for a shell. */
export interface AccountOperation {
  readonly resource: string;
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly example: string;
  /** The texts to replace in the example; absent if it works as it is. */
  readonly note?: string;
}

/** The account that has signed in, with its limits and operations. */
export interface PortalAccount {
  readonly username: string;
  readonly apiSet: string;
  readonly stage: string;
  /** Base address for vendors' programs. */
  readonly base: string;
  /** The union's, an IANA name. */
  readonly timeZone: string;
  readonly resources: readonly string[];
  /** The limits of its requests, in words. */
  readonly requests: string;
  readonly operations: readonly AccountOperation[];
}

/** Why nobody was signed in. */
export class SignInError extends Error {
  override readonly name = "SignInError";
  readonly reason: "credentials" | "busy" | "unreachable" | "failed";

  constructor(reason: SignInError["reason"], options?: ErrorOptions) {
    super(`not signed in: ${reason}`, options);
    this.reason = reason;
  }
}

/**
 * Starts the function that will check the password, while it is still being typed: if it is cold, that takes half a second. The
 * request has no credentials.
 *
 * @param base address of the API with its stage
 */
export const warmUpSignIn = (base: string): Promise<unknown> =>
  fetch(`${base}/login.aspx`, { credentials: "omit", cache: "no-store" })
    .then((response) => response.text())
    .catch(() => undefined);

/**
 * Asks the login page for the account of a user name and a password.
 *
 * @param base address of the API with its stage
 * @throws SignInError
 */
export async function readAccount(base: string, username: string, password: string): Promise<PortalAccount> {
  const response = await fetch(`${base}/login.aspx`, {
    method: "POST",
    headers: { Accept: "application/json" },
    body: new URLSearchParams({ username, password }),
    credentials: "omit",
    cache: "no-store",
  }).catch((cause: unknown) => {
    throw new SignInError("unreachable", { cause });
  });
  if (response.status === 401) throw new SignInError("credentials");
  if (response.status === 429 || response.status === 503) throw new SignInError("busy");
  if (!response.ok) throw new SignInError("failed");
  return (await response.json()) as PortalAccount;
}
