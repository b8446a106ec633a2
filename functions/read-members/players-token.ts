import { ProblemError, problem } from "../http/problem.ts";

/**
 * Reads a player's access token from a Token header.
 *
 * @returns undefined if there is none; clients send an empty header if a request needs none
 * @throws ProblemError 400 if it is not a token
 * @see RFC 6750, 2.1
 */
export function playersToken(header: string | undefined): string | undefined {
  const token = header?.trim();
  if (token === undefined || token === "") return undefined;
  if (!/^[\x21-\x7e]+$/.test(token)) {
    const detail =
      "The header Token holds an access token: letters, digits and signs of ASCII, without spaces.";
    throw new ProblemError(problem(400, "Token cannot be read", detail));
  }
  return token;
}
