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
  /** Whom to call or write to. */
  readonly operatorContact: string;
  readonly resources: readonly string[];
  /** The club that it is bound to. */
  readonly club?: { readonly number: number } | undefined;
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

/** Somebody who has signed in. */
export interface SignedIn {
  readonly account: PortalAccount;
  /** Goes with each request to the API. */
  readonly token: string;
  /** Seconds that the token is valid. */
  readonly expiresIn: number;
}

/** The answer to a request about the session. */
interface SessionAnswer {
  readonly status: number;
  /** Read to its end also if it is not needed: the connection would stay open. */
  readonly text: string;
}

/**
 * A request about the session. Only these have the session's cookie, which no script can read; all others have a token.
 *
 * @throws SignInError if there is no answer
 */
async function askSession(
  base: string,
  method: string,
  init: RequestInit = {},
  query = "",
): Promise<SessionAnswer> {
  try {
    const response = await fetch(`${base}/portal/session${query}`, {
      method,
      ...init,
      credentials: "same-origin",
      cache: "no-store",
      referrerPolicy: "no-referrer",
    });
    return { status: response.status, text: await response.text() };
  } catch (cause) {
    throw new SignInError("unreachable", { cause });
  }
}

function readSignedIn({ status, text }: SessionAnswer): SignedIn {
  if (status === 401) throw new SignInError("credentials");
  if (status === 429) throw new SignInError("busy");
  if (status !== 200) throw new SignInError("failed");
  return JSON.parse(text) as SignedIn;
}

/**
 * Signs in with a user name and a password.
 *
 * @param base address of the API with its stage
 * @throws SignInError
 */
export async function signIn(base: string, username: string, password: string): Promise<SignedIn> {
  const headers = { Accept: "application/json", "Content-Type": "application/json" };
  return readSignedIn(
    await askSession(base, "POST", { headers, body: JSON.stringify({ username, password }) }),
  );
}

/**
 * Gets another token for the browser's session.
 *
 * @returns undefined if there is none, or if it has ended
 * @throws SignInError if that is not known
 */
export async function renewSession(base: string): Promise<SignedIn | undefined> {
  const answer = await askSession(base, "PUT");
  return answer.status === 401 ? undefined : readSignedIn(answer);
}

/** Ends the browser's session. @param everywhere whether all others of the account, too @throws SignInError if it may go on */
export async function endSession(base: string, everywhere: boolean): Promise<void> {
  const { status } = await askSession(base, "DELETE", {}, everywhere ? "?everywhere=1" : "");
  if (status !== 204) throw new SignInError("failed");
}
