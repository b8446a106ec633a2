/**
 * Sends requests with the session's token. They have no cookie, so no other site can have them made. And the browser keeps no
 * answer, since cards have names.
 *
 * @param token has a valid token for a request
 */
export const createTokenFetch =
  (token: () => Promise<string>): typeof fetch =>
  async (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set("Authorization", `Bearer ${await token()}`);
    return fetch(input, {
      ...init,
      headers,
      credentials: "omit",
      cache: "no-store",
      referrerPolicy: "no-referrer",
    });
  };
