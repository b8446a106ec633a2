import { GetSecretValueCommand, type SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import * as z from "zod/mini";

/** An account at the union, as a secret holds it. */
export interface UnionAccount {
  readonly username: string;
  readonly password: string;
  /** First path segment of every request to the union; not always what the vendor is called here. */
  readonly unionApiSet: string;
  /** For the Token header; empty where the account has none. */
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

/** The text of the secret that an account is kept in. */
export function secretOf({ unionApiSet, ...credentials }: UnionAccount): string {
  return JSON.stringify({ ...credentials, apiSet: unionApiSet });
}

/** The credentials at the union could not be had; nothing has been sent. */
export class CredentialsUnavailableError extends Error {
  override readonly name = "CredentialsUnavailableError";

  constructor(options: { cause?: unknown } = {}) {
    super("The credentials at the union could not be read from Secrets Manager.", options);
  }
}

/** Reads accounts at the union by the name of their secret; forgets one that the union refused. */
export interface UnionAccounts {
  /** @throws CredentialsUnavailableError */
  get(secret: string): Promise<UnionAccount>;
  forget(secret: string): void;
}

const keptMilliseconds = 5 * 60_000;

/** Accounts at the union from Secrets Manager, each kept in memory for five minutes. */
export function unionAccounts(client: SecretsManagerClient, now: () => Date): UnionAccounts {
  const kept = new Map<string, { account: Promise<UnionAccount>; until: number }>();

  async function read(secret: string): Promise<UnionAccount> {
    try {
      const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secret }));
      return secretSchema.parse(JSON.parse(SecretString ?? ""));
    } catch (cause) {
      kept.delete(secret);
      throw new CredentialsUnavailableError({ cause: cause instanceof Error ? cause.name : undefined });
    }
  }

  return {
    get(secret) {
      const known = kept.get(secret);
      if (known !== undefined && known.until > now().getTime()) return known.account;
      const account = read(secret);
      kept.set(secret, { account, until: now().getTime() + keptMilliseconds });
      return account;
    },
    forget(secret) {
      kept.delete(secret);
    },
  };
}
