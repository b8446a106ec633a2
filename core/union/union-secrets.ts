import {
  CreateSecretCommand,
  DecryptionFailure,
  DeleteSecretCommand,
  EncryptionFailure,
  InvalidRequestException,
  ResourceExistsException,
  ResourceNotFoundException,
  RestoreSecretCommand,
  type SecretsManagerClient,
  UpdateSecretCommand,
} from "@aws-sdk/client-secrets-manager";
import { secretOf, type UnionAccount } from "./account-secrets.ts";

/** How long a deleted secret can be restored. Secrets Manager allows 7 to 30 days. */
const recoveryDays = 7;

/**
 * Stores or replaces credentials at the union. A secret that is left over from a deleted account or an earlier stack is
 * taken over, and encrypted with the key of this stack.
 *
 * @param key alias of the key that the secret is encrypted with
 * @throws Error that says what to do if the leftover secret's own key was destroyed
 */
export async function putUnionAccount(
  client: SecretsManagerClient,
  name: string,
  key: string,
  account: UnionAccount,
): Promise<void> {
  const SecretString = secretOf(account);
  const update = () =>
    client.send(new UpdateSecretCommand({ SecretId: name, SecretString, KmsKeyId: key })).catch((cause) => {
      if (!(cause instanceof EncryptionFailure || cause instanceof DecryptionFailure)) throw cause;
      const remove = `aws secretsmanager delete-secret --force-delete-without-recovery --secret-id ${name}`;
      throw new Error(
        `The secret ${name} is left over, and its key no longer exists. Run \`${remove}\`, then this command again.`,
        { cause },
      );
    });
  try {
    await client.send(new CreateSecretCommand({ Name: name, SecretString, KmsKeyId: key }));
    return;
  } catch (error) {
    // The name belongs to a secret. If that is scheduled for deletion, AWS answers with the second error, an emulator with the first.
    if (!(error instanceof ResourceExistsException || error instanceof InvalidRequestException)) throw error;
  }
  try {
    await update();
  } catch (error) {
    if (!(error instanceof InvalidRequestException)) throw error;
    await client.send(new RestoreSecretCommand({ SecretId: name }));
    await update();
  }
}

/** Deletes credentials at the union, if there are any. They can be restored for seven days. */
export async function removeUnionAccount(client: SecretsManagerClient, name: string): Promise<void> {
  const request = new DeleteSecretCommand({ SecretId: name, RecoveryWindowInDays: recoveryDays });
  await client.send(request).catch((error: unknown) => {
    const isGone = error instanceof ResourceNotFoundException || error instanceof InvalidRequestException;
    if (!isGone) throw error;
  });
}
