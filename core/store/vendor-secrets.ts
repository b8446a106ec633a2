import {
  CreateSecretCommand,
  PutSecretValueCommand,
  ResourceExistsException,
  type SecretsManagerClient,
} from "@aws-sdk/client-secrets-manager";
import type { ApiSet } from "../account/api-set.ts";
import type { UnionAccount } from "../union/account.ts";

/**
 * Keeps a vendor's credentials at the union, under the name by which delivery reads them; what was kept before is
 * replaced.
 */
export async function putVendorSecret(
  client: SecretsManagerClient,
  stage: string,
  apiSet: ApiSet,
  account: UnionAccount,
): Promise<void> {
  const name = `scorecards/${stage}/vendor/${apiSet}`;
  const SecretString = JSON.stringify(account);
  try {
    await client.send(new CreateSecretCommand({ Name: name, SecretString }));
  } catch (error) {
    if (!(error instanceof ResourceExistsException)) throw error;
    await client.send(new PutSecretValueCommand({ SecretId: name, SecretString }));
  }
}
