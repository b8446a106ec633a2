import { GetSecretValueCommand, type SecretsManagerClient } from "@aws-sdk/client-secrets-manager";

/**
 * Reads the secret of the hash under which players are remembered: once, when it is first needed, and again after a failure.
 *
 * @returns a function that throws if the secret cannot be read or is empty
 */
export function hashKeyReader(client: SecretsManagerClient, secret: string): () => Promise<string> {
  let key: Promise<string> | undefined;

  async function read(): Promise<string> {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secret }));
    if (!SecretString) throw new Error("The secret of the hash of players is empty.");
    return SecretString;
  }

  return () => {
    key ??= read().catch((error: unknown) => {
      key = undefined;
      throw error;
    });
    return key;
  };
}
