import { GetSecretValueCommand, type SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod/mini";

/** An account at the union. */
export interface UnionAccount {
  readonly username: string;
  readonly password: string;
  /** First path segment of every request to the union; it may differ from the vendor's API set here. */
  readonly unionApiSet: string;
  /** For the Token header; empty if the account has none. */
  readonly token: string;
}

const secretSchema = z.pipe(
  z.object({
    username: z.string().check(z.minLength(1)),
    password: z.string(),
    apiSet: z.optional(z.string().check(z.minLength(1))),
    token: z._default(z.string(), ""),
  }),
  z.transform(
    ({ apiSet, ...secret }): UnionAccount => ({ ...secret, unionApiSet: apiSet ?? secret.username }),
  ),
);

/** The text of an account's secret. */
export function secretOf({ unionApiSet, ...credentials }: UnionAccount): string {
  return JSON.stringify({ ...credentials, apiSet: unionApiSet });
}

/** The credentials at the union could not be read, so nothing was sent. */
export class CredentialsUnavailableError extends Error {
  override readonly name = "CredentialsUnavailableError";

  constructor(options: { cause?: unknown } = {}) {
    super("The credentials at the union could not be read from Secrets Manager.", options);
  }
}

/** Accounts at the union by the name of their secret. */
export interface UnionAccounts {
  /** @throws CredentialsUnavailableError */
  get(secret: string): Promise<UnionAccount>;
  /** Drops the cached secret, after the union has refused the account. */
  forget(secret: string): void;
}

const cacheMilliseconds = 5 * 60_000;

/** Reads accounts at the union from Secrets Manager, and caches each for five minutes. */
export function unionAccounts(client: SecretsManagerClient, now: () => Date): UnionAccounts {
  const cache = new Map<string, { account: Promise<UnionAccount>; until: number }>();

  async function read(secret: string): Promise<UnionAccount> {
    try {
      const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secret }));
      return secretSchema.parse(JSON.parse(SecretString ?? ""));
    } catch (cause) {
      cache.delete(secret);
      throw new CredentialsUnavailableError({ cause: cause instanceof Error ? cause.name : undefined });
    }
  }

  return {
    get(secret) {
      const known = cache.get(secret);
      if (known !== undefined && known.until > now().getTime()) return known.account;
      const account = read(secret);
      cache.set(secret, { account, until: now().getTime() + cacheMilliseconds });
      return account;
    },
    forget(secret) {
      cache.delete(secret);
    },
  };
}
