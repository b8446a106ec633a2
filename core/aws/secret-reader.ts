import { GetSecretValueCommand, type SecretsManagerClient } from "@aws-sdk/client-secrets-manager";

/**
 * Reads a secret of the stage's own: once, when it is first needed, and again after a failure.
 *
 * @returns a function that throws if the secret cannot be read or is empty
 */
export function secretReader(client: SecretsManagerClient, secret: string): () => Promise<string> {
  let value: Promise<string> | undefined;

  async function read(): Promise<string> {
    const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: secret }));
    if (!SecretString) throw new Error("A secret of the stage is empty.");
    return SecretString;
  }

  return () => {
    value ??= read().catch((error: unknown) => {
      value = undefined;
      throw error;
    });
    return value;
  };
}
