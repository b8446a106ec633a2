import {
  CreateSecretCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  type SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import { secretOf, type UnionAccount } from "../union/account.ts";

/** Stores or replaces credentials at the union. @param key alias of the key that a new secret is encrypted with */
export async function putUnionAccount(
  client: SecretsManagerClient,
  name: string,
  key: string,
  account: UnionAccount,
): Promise<void> {
  const SecretString = secretOf(account);
  try {
    await client.send(new CreateSecretCommand({ Name: name, SecretString, KmsKeyId: key }));
  } catch (error) {
    if (!(error instanceof ResourceExistsException)) throw error;
    await client.send(new PutSecretValueCommand({ SecretId: name, SecretString }));
  }
}
