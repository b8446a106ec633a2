import { randomBytes } from "node:crypto";

/** A player's consent to the app of an account. */
export interface Consent {
  readonly memberId: string;
  /** The account's. */
  readonly username: string;
}

/** The consents that players have given, by access token. The login at which a player gives one is the union's alone. */
export interface Consents {
  /** @returns the access token */
  give(consent: Consent): string;
  find(token: string): Consent | undefined;
}

/** No consents yet. They last as long as the stand-in. */
export function createConsents(): Consents {
  const byToken = new Map<string, Consent>();
  return {
    give(consent) {
      const token = randomBytes(24).toString("base64url");
      byToken.set(token, consent);
      return token;
    },
    find: (token) => byToken.get(token),
  };
}
